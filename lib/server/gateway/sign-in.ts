import "server-only";
import { createHash } from "node:crypto";
import type { SetupCreate, SetupState } from "#contract/accounts/account.ts";
import type { PasskeyOptions } from "#contract/accounts/second-factor.ts";
import type { Session, SessionCreate } from "#contract/accounts/sessions.ts";
import { clientAddressHeader } from "#contract/client-address.ts";
import type { GatewayResult } from "../../gateway/result.ts";
import type { SessionToken } from "../session-token.ts";
import { sendGateway } from "./send.ts";

/** The visitor whose request the console forwards. */
export interface Visitor {
  address: string | null;
  userAgent: string | null;
}

/** How long a cookie with a plain key is valid. */
const plainKeyMs = 7 * 24 * 60 * 60 * 1000;

/** Whether this gateway has no owner yet. */
export function getSetupState(): Promise<GatewayResult<SetupState>> {
  return sendGateway("/account/setup");
}

export function setUpGateway(body: SetupCreate, visitor: Visitor | null): Promise<GatewayResult<Session>> {
  return sendGateway("/account/setup", { method: "POST", body, headers: forwarded(visitor) });
}

/** Signs a user in; with `visitor` the gateway can slow down guessing per visitor instead of per console. */
export function signInUser(
  body: SessionCreate,
  visitor: Visitor | null,
): Promise<GatewayResult<SessionToken>> {
  return openSession("/account/sessions", body, visitor);
}

async function openSession(
  path: string,
  body: unknown,
  visitor: Visitor | null,
): Promise<GatewayResult<SessionToken>> {
  const result = await sendGateway<Session>(path, {
    method: "POST",
    body,
    headers: forwarded(visitor),
  });
  return result.ok ? { ok: true, data: sessionTokenFrom(result.data) } : result;
}

/** The browser's options for asking for a passkey: of the ticket's person, else of anybody. */
export function beginPasskey(
  ticket: string | undefined,
  visitor: Visitor | null,
): Promise<GatewayResult<PasskeyOptions>> {
  return sendGateway("/account/sessions/passkey/options", {
    method: "POST",
    body: { ticket },
    headers: forwarded(visitor),
  });
}

export function signInPasskey(
  body: { ticket: string; credential: unknown },
  visitor: Visitor | null,
): Promise<GatewayResult<SessionToken>> {
  return openSession("/account/sessions/passkey", body, visitor);
}

/** The second step after a password. */
export function finishSignIn(
  body: { ticket: string; code?: string; credential?: unknown },
  visitor: Visitor | null,
): Promise<GatewayResult<SessionToken>> {
  return openSession("/account/sessions/second_factor", body, visitor);
}

/** Exchanges an account key for a session of that key, which signing out ends. */
export async function signInKey(
  bearer: string,
  visitor: Visitor | null,
): Promise<GatewayResult<SessionToken>> {
  const result = await sendGateway<Session>("/account/sessions/key", {
    method: "POST",
    bearer,
    headers: forwarded(visitor),
  });
  if (result.ok) return { ok: true, data: sessionTokenFrom(result.data) };
  return result.error.code === "route_not_found" ? signInPlainKey(bearer) : result;
}

/**
 * Up to release 0.3.0 a gateway without extensions has no accounts and sessions: the key is valid if any
 * protected route accepts it, and the cookie holds the key itself.
 */
async function signInPlainKey(bearer: string): Promise<GatewayResult<SessionToken>> {
  const result = await sendGateway("/webhooks/deliveries", { bearer, query: { limit: 1 } });
  if (!result.ok && result.error.status !== 403) return result;
  const session = { kind: "key" as const, bearer, expiresAtMs: Date.now() + plainKeyMs, email: null };
  // Drafts are stored per account; a fingerprint separates several keys without revealing them.
  const accountId = `key_${createHash("sha256").update(bearer).digest("hex").slice(0, 16)}`;
  return { ok: true, data: { ...session, accountId, accountName: "this gateway", name: "Account key" } };
}

/** Ends the session at the gateway; the browser forgets it even if the gateway does not answer. */
export async function endGatewaySession(token: SessionToken): Promise<void> {
  await sendGateway("/account/sessions/current", { method: "DELETE", bearer: token.bearer });
}

/** The cookie's content for a gateway session. */
export function sessionTokenFrom(session: Session): SessionToken {
  const { account } = session;
  return {
    kind: account.user ? "user" : "key",
    bearer: session.token,
    personId: account.user?.id ?? account.key?.id ?? account.id,
    expiresAtMs: Date.parse(session.expires_at),
    accountId: account.id,
    accountName: account.name,
    name: account.user?.name ?? account.key?.name ?? account.name,
    email: account.user?.email ?? null,
  };
}

/**
 * The client details that the gateway stores with a session, so that people can tell their sessions apart.
 */
export function forwarded(visitor: Visitor | null): Record<string, string> {
  return {
    ...(visitor?.address && { [clientAddressHeader]: visitor.address }),
    ...(visitor?.userAgent && { "user-agent": visitor.userAgent }),
  };
}
