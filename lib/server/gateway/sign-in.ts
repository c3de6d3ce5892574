import "server-only";
import type { Account, Session, SessionCreate, SetupCreate, SetupState } from "#contract/account.ts";
import type { GatewayResult } from "../../gateway/result.ts";
import { keySessionMs, type SessionToken } from "../session-token.ts";
import { sendGateway } from "./send.ts";

/** Whether this gateway still waits for its owner. */
export function getSetupState(): Promise<GatewayResult<SetupState>> {
  return sendGateway("/account/setup");
}

export function setUpGateway(body: SetupCreate): Promise<GatewayResult<Session>> {
  return sendGateway("/account/setup", { method: "POST", body });
}

/** Signs a user in; `clientAddress` lets the gateway slow down guessing per visitor, not per console. */
export async function signInUser(
  body: SessionCreate,
  clientAddress: string | null,
): Promise<GatewayResult<SessionToken>> {
  const result = await sendGateway<Session>("/account/sessions", {
    method: "POST",
    body,
    ...(clientAddress && { headers: { "x-forwarded-for": clientAddress } }),
  });
  return result.ok ? { ok: true, data: userToken(result.data) } : result;
}

/** Takes a plain account key as the credential, when the gateway accepts it. */
export async function signInKey(bearer: string): Promise<GatewayResult<SessionToken>> {
  const result = await sendGateway<Account>("/account", { bearer });
  return result.ok ? { ok: true, data: keyToken(result.data, bearer) } : result;
}

/** Ends the session at the gateway; whether it answers or not, the browser forgets it. */
export async function endGatewaySession(token: SessionToken): Promise<void> {
  if (token.kind === "user")
    await sendGateway("/account/sessions/current", { method: "DELETE", bearer: token.bearer });
}

/** The cookie's content for a user's session. */
export function userToken(session: Session): SessionToken {
  const { account } = session;
  return {
    kind: "user",
    bearer: session.token,
    expiresAtMs: Date.parse(session.expires_at),
    accountId: account.id,
    accountName: account.name,
    name: account.user?.name ?? account.name,
    email: account.user?.email ?? null,
  };
}

function keyToken(account: Account, bearer: string): SessionToken {
  return {
    kind: "key",
    bearer,
    expiresAtMs: Date.now() + keySessionMs,
    accountId: account.id,
    accountName: account.name,
    name: account.key?.name ?? "Account key",
    email: null,
  };
}
