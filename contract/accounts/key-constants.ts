export const scopes = ["inference", "predictions", "uploads", "webhooks", "usage", "keys"] as const;
/** `operator` administers the installation: only an operator or the command line can give it to a key. */
export const keyScopes = [...scopes, "operator"] as const;
export type Scope = (typeof keyScopes)[number];

/**
 * A personal key ends with its member's membership and never has more rights than the member. A service key
 * outlives the person who created it.
 */
export const keyKinds = ["personal", "service"] as const;
export type KeyKind = (typeof keyKinds)[number];

/** Texts of a key, for its schema and its form. */
export const keyFields = { name: { minLength: 1, maxLength: 100 } } as const;
/** The limits that a key may have itself, for its schema and its form. */
export const keyRates = {
  requests_per_minute: { minimum: 1, maximum: 100_000 },
  max_concurrency: { minimum: 1, maximum: 10_000 },
} as const;

/** Limits of a key's origins: number and length. */
export const originLimits = { perKey: 20, length: 200 } as const;

/** Largest monthly budget of a key, in any billing unit. */
export const largestBudget = 1_000_000_000_000_000;
