import "server-only";
import { createHash } from "node:crypto";
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
  if (result.ok) return { ok: true, data: keyToken(result.data, bearer) };
  return result.error.code === "route_not_found" ? signInPlainKey(bearer) : result;
}

/** A gateway without extensions tells nothing about its accounts: any route that asks for a key shows that it fits. */
async function signInPlainKey(bearer: string): Promise<GatewayResult<SessionToken>> {
  const result = await sendGateway("/webhooks/deliveries", { bearer, query: { limit: 1 } });
  if (!result.ok && result.error.status !== 403) return result;
  const session = { kind: "key" as const, bearer, expiresAtMs: Date.now() + keySessionMs, email: null };
  // Drafts are kept per account; a fingerprint keeps those of several keys apart without telling the key.
  const accountId = `key_${createHash("sha256").update(bearer).digest("hex").slice(0, 16)}`;
  return { ok: true, data: { ...session, accountId, accountName: "this gateway", name: "Account key" } };
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
