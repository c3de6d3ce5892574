export const scopes = ["inference", "predictions", "uploads", "webhooks", "usage", "keys"] as const;
/** `operator` runs the instance: only an operator, or the command line, gives it to a key. */
export const keyScopes = [...scopes, "operator"] as const;
export type Scope = (typeof keyScopes)[number];

/** A personal key ends with its member and never does more than they may; a service key stays. */
export const keyKinds = ["personal", "service"] as const;
export type KeyKind = (typeof keyKinds)[number];

/** How many origins a key may name, and how long each is. */
export const originLimits = { perKey: 20, length: 200 } as const;

/** Of a month, in any unit. */
export const largestBudget = 1_000_000_000_000_000;
