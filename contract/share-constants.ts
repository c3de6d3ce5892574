export const shareLimits = {
  /** The outputs of one link. */
  outputs: 8,
  minSeconds: 60,
  /** Links of an account that work at the same time. */
  perAccount: 1_000,
} as const;
