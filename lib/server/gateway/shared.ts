import "server-only";
import { cache } from "react";
import type { Shared } from "#contract/shares.ts";
import { type GatewayResult, localFailure } from "../../gateway/result.ts";
import { sessionToken } from "../session.ts";
import { sendGateway } from "./send.ts";
import { forwarded } from "./sign-in.ts";
import { currentVisitor } from "./visitor.ts";

/** Any other text cannot be a token, so the gateway need not be asked. */
const tokenForm = /^[\w-]{1,100}$/;

/**
 * The contents of a shared link, cached per request. Sends the visitor's session only if the link requires a
 * signed-in person.
 */
export const getShared = cache(async (token: string): Promise<GatewayResult<Shared>> => {
  if (!tokenForm.test(token))
    return {
      ok: false,
      error: { ...localFailure("share_not_found", "Not a link of this gateway."), status: 404 },
    };
  const headers = forwarded(await currentVisitor());
  const answer = await sendGateway<Shared>(`/shared/${token}`, { headers });
  if (answer.ok || answer.error.code !== "user_session_required") return answer;
  const session = await sessionToken();
  if (session?.kind !== "user") return answer;
  const asPerson = await sendGateway<Shared>(`/shared/${token}`, { headers, bearer: session.bearer });
  // The session has ended; signing in helps.
  return !asPerson.ok && asPerson.error.status === 401 ? answer : asPerson;
});
