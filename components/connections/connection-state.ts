import type { ConnectionEnd } from "#contract/connection-constants.ts";

/** Why the gateway ended a connection, in words. */
export const endLabels: Record<ConnectionEnd, string> = {
  refresh_token_reused: "A refresh token was used twice: somebody else may have had it",
  code_reused: "Its code was used twice: somebody else may have had it",
  client_revoked: "The client gave it up",
};
