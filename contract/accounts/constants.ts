/** The minimum length of a password, in characters. */
export const passwordMinLength = 10;

export const passwordMaxLength = 200;

/** Texts that people type, for the schemas and for the forms of the console. */
export const personFields = {
  email: { minLength: 3, maxLength: 254 },
  name: { minLength: 1, maxLength: 100, pattern: "\\S" },
  newPassword: { minLength: passwordMinLength, maxLength: passwordMaxLength },
  passkeyName: { minLength: 1, maxLength: 60, pattern: "\\S" },
  /** Six digits from an authenticator app, or a recovery code. */
  code: { minLength: 6, maxLength: 40 },
  /** The token of a one-time link. */
  linkToken: { minLength: 1, maxLength: 200 },
} as const;

/** An app's code as people type it: six digits, often with a space between them. */
export const appCode = { pattern: "[0-9 ]{6,7}", maxLength: 7 } as const;

export const scopes = ["inference", "predictions", "uploads", "webhooks", "usage", "keys"] as const;

/**
 * The scopes that a key has only if it was asked for them. `contents` reads what the account's calls said. `operator`
 * administers the installation: only an operator or the command line can give it to a key.
 */
export const keyScopes = [...scopes, "contents", "operator"] as const;
export type Scope = (typeof keyScopes)[number];

/**
 * A personal key ends with its member's membership and never has more rights than the member. A service key
 * outlives the person who created it.
 */
export const keyKinds = ["personal", "service"] as const;
export type KeyKind = (typeof keyKinds)[number];

/** Limits of a key's origins: number and length. */
export const originLimits = { perKey: 20, length: 200 } as const;

/** Limits of a list of networks: entries, and the length of one. */
export const networkLimits = { perList: 100, length: 49 } as const;

/** Texts of a key, for its schema and its form. */
export const keyFields = {
  name: { minLength: 1, maxLength: 100 },
  origin: { minLength: 1, maxLength: originLimits.length, pattern: "^https?://[^\\s/?#@]+/?$" },
} as const;

/** Whether an account keeps the contents of its calls: of none, of those with chosen keys, or of all. */
export const contentsRules = ["off", "chosen_keys", "all"] as const;
export type ContentsRule = (typeof contentsRules)[number];

/** How many days contents can be kept, before the operator's own limit. */
export const contentsDays = { minimum: 1, maximum: 365 } as const;

/** How long an owner may choose that inputs and outputs are kept, before the limits of operator and installation. */
export const retentionMinutes = { minimum: 10, maximum: 525_600 } as const;

/** Whether a key follows its account's rule, is left out of it, or is one of the chosen keys. */
export const keyContents = ["inherit", "off", "on"] as const;
export type KeyContents = (typeof keyContents)[number];

/** The limits that a key may have itself, and the tokens of a member or an account, for schemas and forms. */
export const keyRates = {
  requests_per_minute: { minimum: 1, maximum: 100_000 },
  tokens_per_minute: { minimum: 1, maximum: 1_000_000_000 },
  max_concurrency: { minimum: 1, maximum: 10_000 },
} as const;

/** What an operator may set for one account. */
export const accountLimitFields = {
  requests_per_minute: { minimum: 1, maximum: 10_000_000 },
  max_concurrency: { minimum: 1, maximum: 100_000 },
  storage_bytes: { minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  models: 100,
  reason: { minLength: 1, maxLength: 200, pattern: "\\S" },
  plan_name: { minLength: 1, maxLength: 60, pattern: "\\S" },
} as const;

/** The models that may have an own limit of tokens per minute. */
export const tokenRateModels = { most: 100, idLength: 200 } as const;

/** Largest monthly budget of a key, in any billing unit. */
export const largestBudget = 1_000_000_000_000_000;

/** The roles of members, most powerful first. */
export const roles = ["owner", "admin", "member", "viewer", "billing"] as const;
export type Role = (typeof roles)[number];

/** Whether a person with the role `own` may give or remove the role `other`: never one above their own. */
export function reachesRole(own: Role, other: Role): boolean {
  return roles.indexOf(own) <= roles.indexOf(other);
}
