export const noteLimits = {
  textLength: 2_000,
  /** Notes of one prediction or delivery. */
  perSubject: 50,
} as const;
