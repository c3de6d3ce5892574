import "server-only";
import { createHash } from "node:crypto";
import { headers } from "next/headers";
import type { Session, SessionCreate, SetupCreate, SetupState } from "#contract/accounts/account.ts";
import type {
  EmailChanged,
  EmailChangePreview,
  PasswordForgottenTaken,
  PasswordResetAccept,
  PasswordResetDone,
  PasswordResetPreview,
} from "#contract/accounts/credentials.ts";
import type {
  IdentityProvider,
  ProviderAnswer,
  ProviderFinished,
  ProviderStart,
  ProviderStarted,
} from "#contract/accounts/oidc.ts";
import type { PasskeyOptions } from "#contract/accounts/second-factor.ts";
import type { InvitationAccept, InvitationPreview } from "#contract/accounts/team.ts";
import { clientAddressHeader } from "#contract/client-address.ts";
import type { GatewayResult } from "@/lib/gateway/result";
import type { SessionToken } from "../session-cookie.ts";
import { requestLanguage } from "../words.ts";
import { sendGateway } from "./send.ts";

/** The visitor for whom the console sends the request. */
export interface Visitor {
  address: string | null;
  userAgent: string | null;
}

/** Whether this gateway has no owner yet. */
export function getSetupState(): Promise<GatewayResult<SetupState>> {
  return sendGateway("/account/setup");
}

export function setUpGateway(body: SetupCreate, visitor: Visitor | null): Promise<GatewayResult<Session>> {
  return sendGateway("/account/setup", { method: "POST", body, headers: forwarded(visitor) });
}

/** Signs a user in. With `visitor`, the gateway can slow down guessing per visitor instead of per console. */
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

/** The browser's options for requesting a passkey: one of the ticket's person, otherwise of anybody. */
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

/** Exchanges an account key for a session of that key. Signing out ends the session. */
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

/** How long a cookie with an account key is valid. */
const plainKeyMs = 7 * 24 * 60 * 60 * 1000;

/**
 * Up to release 0.3.0, a gateway without extensions has no accounts and sessions. A key is valid there if any
 * protected route accepts it, and the cookie contains the key itself.
 */
async function signInPlainKey(bearer: string): Promise<GatewayResult<SessionToken>> {
  const result = await sendGateway("/webhooks/deliveries", { bearer, query: { limit: 1 } });
  if (!result.ok && result.error.status !== 403) return result;
  const session = { kind: "key" as const, bearer, expiresAtMs: Date.now() + plainKeyMs, email: null };
  // Drafts are stored per account. A hash distinguishes several keys without revealing them.
  const accountId = `key_${createHash("sha256").update(bearer).digest("hex").slice(0, 16)}`;
  return { ok: true, data: { ...session, accountId, accountName: "this gateway", name: "Account key" } };
}

/** Ends the session at the gateway. The browser forgets it even if the gateway does not answer. */
export async function endGatewaySession(token: SessionToken): Promise<void> {
  await sendGateway("/account/sessions/current", {
    method: "DELETE",
    bearer: token.bearer,
    headers: forwarded(await currentVisitor()),
  });
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
    ...(account.user?.language && { language: account.user.language }),
  };
}

/** The client details that the gateway stores with a session, so that people can recognise their sessions. */
export function forwarded(visitor: Visitor | null): Record<string, string> {
  return {
    ...(visitor?.address && { [clientAddressHeader]: visitor.address }),
    ...(visitor?.userAgent && { "user-agent": visitor.userAgent }),
  };
}

/** The browser's address and name, for calls that open a session. */
export async function currentVisitor(): Promise<Visitor> {
  const incoming = await headers();
  return { address: incoming.get(clientAddressHeader), userAgent: incoming.get("user-agent") };
}

/** Calls without a session. The token of a link authorises them and is always in the body. */
async function sendWithLink<Data>(
  path: string,
  body: unknown,
  bearer: string | null = null,
): Promise<GatewayResult<Data>> {
  const headers = forwarded(await currentVisitor());
  return sendGateway(path, { method: "POST", body, bearer, headers });
}

export function previewInvitation(token: string): Promise<GatewayResult<InvitationPreview>> {
  return sendWithLink("/account/invitations/lookup", { token });
}

/** With `bearer`, its user joins. Otherwise a new person joins, whose name and password are in the body. */
export function acceptInvitation(
  body: InvitationAccept,
  bearer: string | null,
): Promise<GatewayResult<Session>> {
  return sendWithLink("/account/invitations/accept", body, bearer);
}

export async function forgetPassword(email: string): Promise<GatewayResult<PasswordForgottenTaken>> {
  return sendWithLink("/account/password/forgotten", { email, language: await requestLanguage() });
}

export function previewEmailChange(token: string): Promise<GatewayResult<EmailChangePreview>> {
  return sendWithLink("/account/email/lookup", { token });
}

export function confirmEmailChange(token: string): Promise<GatewayResult<EmailChanged>> {
  return sendWithLink("/account/email/confirm", { token });
}

export function previewReset(token: string): Promise<GatewayResult<PasswordResetPreview>> {
  return sendWithLink("/account/password/reset/lookup", { token });
}

export function resetPassword(body: PasswordResetAccept): Promise<GatewayResult<PasswordResetDone>> {
  return sendWithLink("/account/password/reset", body);
}

/** The browser for which the console calls the gateway. */
interface ProviderVisitor {
  bearer: string | null;
  clientAddress: string | null;
}

/** Whether people can sign in with an identity provider, and its name. */
export function getIdentityProvider(): Promise<GatewayResult<IdentityProvider>> {
  return sendGateway("/account/oidc");
}

export function startProviderSignIn(
  body: ProviderStart,
  visitor: ProviderVisitor,
): Promise<GatewayResult<ProviderStarted>> {
  return sendGateway("/account/oidc/start", { method: "POST", body, ...callOf(visitor) });
}

export function finishProviderSignIn(
  body: ProviderAnswer,
  visitor: ProviderVisitor,
): Promise<GatewayResult<ProviderFinished>> {
  return sendGateway("/account/oidc/callback", { method: "POST", body, ...callOf(visitor) });
}

function callOf({ bearer, clientAddress }: ProviderVisitor) {
  return { bearer, headers: clientAddress ? { [clientAddressHeader]: clientAddress } : {} };
}
