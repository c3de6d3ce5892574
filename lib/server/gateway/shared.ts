import "server-only";
import { type GatewayResult, localFailure } from "../../gateway/result.ts";
import { sessionToken } from "../session.ts";
import { sendGateway } from "./send.ts";
import { currentVisitor, forwarded } from "./sign-in.ts";

/** Any other text cannot be a token, so no call is needed. */
const tokenForm = /^[\w-]{1,100}$/;

/**
 * Asks about a shared link, or sends a report of one. Sends the visitor's session only if the link requires a signed-in
 * person.
 */
export async function requestShared<Data>(
  token: string,
  { path = "", body }: { path?: "/reports" | ""; body?: unknown } = {},
): Promise<GatewayResult<Data>> {
  if (!tokenForm.test(token))
    return {
      ok: false,
      error: { ...localFailure("share_not_found", "This is not a link of this gateway."), status: 404 },
    };
  const call = {
    headers: forwarded(await currentVisitor()),
    ...(body !== undefined && { method: "POST" as const, body }),
  };
  const answer = await sendGateway<Data>(`/shared/${token}${path}`, call);
  if (answer.ok || answer.error.code !== "user_session_required") return answer;
  const session = await sessionToken();
  if (session?.kind !== "user") return answer;
  const asPerson = await sendGateway<Data>(`/shared/${token}${path}`, { ...call, bearer: session.bearer });
  // The session has ended. The visitor can sign in again.
  return !asPerson.ok && asPerson.error.status === 401 ? answer : asPerson;
}
