/** What a connection can be given: what the tools of agents need, and no more. */
export const connectionScopes = ["inference", "predictions", "uploads"] as const;
export type ConnectionScope = (typeof connectionScopes)[number];

/** Why the gateway ended a connection: a token was used twice, as after a theft, or the client revoked it. */
export const connectionEnds = ["refresh_token_reused", "code_reused", "client_revoked"] as const;
export type ConnectionEnd = (typeof connectionEnds)[number];

/** The longest a person may connect a client for. */
export const longestConnectionDays = 366;

/** What of the address of the consent page means something; the rest is ignored, as the standard asks. */
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
