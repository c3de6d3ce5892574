/** The scopes that a connection can have: only those that agents' tools need. */
export const connectionScopes = ["inference", "predictions", "uploads"] as const;
export type ConnectionScope = (typeof connectionScopes)[number];

/**
 * Why the gateway ended a connection: a code or token was used twice, which may mean theft, or the client
 * revoked it.
 */
export const connectionEnds = ["refresh_token_reused", "code_reused", "client_revoked"] as const;
export type ConnectionEnd = (typeof connectionEnds)[number];

/** The longest duration of a connection that a person can choose. */
export const longestConnectionDays = 366;

/**
 * The parameters of the consent page that the gateway reads. The standard requires that others are ignored.
 */
export const askedNames = [
  "client_id",
  "redirect_uri",
  "response_type",
  "code_challenge",
  "code_challenge_method",
  "scope",
  "state",
  "resource",
] as const;
