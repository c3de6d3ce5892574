import "server-only";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { clientAddressHeader } from "#contract/client-address.ts";
import { type GatewayFailure, type GatewayResult, localFailure } from "../../gateway/result.ts";
import { signInPath } from "../../return-path.ts";
import { requestedPath, sessionToken } from "../session.ts";
import { type GatewayCall, sendGateway } from "./send.ts";

/**
 * Calls the gateway as the signed-in visitor. A session that has ended leads a page to the sign-in page (and back
 * afterwards); an action gets the failure `signed_out` instead, so that what was typed is not lost.
 */
export async function requestGateway<Data>(
  path: string,
  call: Omit<GatewayCall, "bearer"> = {},
): Promise<GatewayResult<Data>> {
  const token = await sessionToken();
  const incoming = await headers();
  const clientAddress = incoming.get(clientAddressHeader);
  const result = token
    ? await sendGateway<Data>(path, {
        ...call,
        bearer: token.bearer,
        headers: { ...(clientAddress && { [clientAddressHeader]: clientAddress }), ...call.headers },
      })
    : signedOut;
  if (result.ok) return result;
  // The account requires a second factor of a member who has none: nothing but setting one up is open to them.
  if (result.error.code === "second_factor_required" && !incoming.has("next-action"))
    redirect("/second-factor");
  if (!endsSession(result.error)) return result;
  if (incoming.has("next-action")) return signedOut;
  redirect(signInPath(await requestedPath(), token ? "ended" : undefined));
}

/** A wrong password or code in a form is a 401 too, and says nothing about the session. */
function endsSession({ code }: GatewayFailure): boolean {
  return code === "signed_out" || code.endsWith("_api_key");
}

const signedOut: GatewayResult<never> = {
  ok: false,
  error: { ...localFailure("signed_out", "Your session has expired. Sign in again."), status: 401 },
};
