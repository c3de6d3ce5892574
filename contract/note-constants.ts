export const noteLimits = {
  textLength: 2_000,
  /** Most notes of one prediction or delivery. */
  perSubject: 50,
} as const;
