/** What a connection can be given: what the tools of agents need, and no more. */
export const connectionScopes = ["inference", "predictions", "uploads"] as const;
export type ConnectionScope = (typeof connectionScopes)[number];

/** Why a connection ended by itself: a token was used twice, as a thief would, or the client gave it up. */
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
