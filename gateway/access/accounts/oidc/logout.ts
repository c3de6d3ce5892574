import type { AccessContext } from "#gateway/access/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, isNull, or } from "#gateway/platform/database/drizzle.ts";
import { rowSweep } from "#gateway/platform/database/row-sweep.ts";
import {
  identities,
  providerSessions,
  sessions,
  usedLogoutTokens,
} from "#gateway/platform/database/schema.ts";
import { tooManyRequests } from "#gateway/platform/http/limits.ts";
import type { Limit } from "#gateway/platform/limits/limiter.ts";
import { addressBlock } from "#gateway/platform/network/address-rules.ts";
import { recordAuditOfPerson } from "../audit.ts";
import type { Origin } from "../sessions/open.ts";
import { clockToleranceSeconds, type Provider } from "./provider.ts";
import { decodeToken } from "./signed-token.ts";

const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";
/** Older tokens are refused, so a used one is remembered only this long. */
const oldestSeconds = 600;
const invalidTokens: Limit = { name: "logout tokens", count: 60, periodMs: 60_000 };

interface Logout {
  tokenId: string;
  subject: string | null;
  providerSession: string | null;
}

/**
 * Ends the sessions that the provider reports as ended: at once in this process and within a second in
 * others. Returns how many. Throws `logout_token_invalid`, `rate_limit_exceeded`, `service_unavailable`.
 */
export async function logOutByProvider(
  { database, credentials, limiter }: AccessContext,
  provider: Provider,
  token: string,
  origin: Origin,
): Promise<number> {
  const address = addressBlock(origin.ip ?? "");
  const taken = await limiter.take(address, invalidTokens);
  if (!taken.allowed) throw tooManyRequests("Too many invalid logout tokens came from this address.", taken);
  const logout = await readLogoutToken(provider, token);
  const ended = await database.transaction(async (queries) => {
    await useOnce(queries, provider.settings.issuer, logout.tokenId);
    return endSessions(queries, provider.settings.issuer, logout, origin);
  });
  for (const id of ended) credentials.forget(id);
  await limiter.giveBack(address, invalidTokens);
  return ended.length;
}

async function readLogoutToken(provider: Provider, token: string): Promise<Logout> {
  const { issuer, clientId } = provider.settings;
  const signed = decodeToken(token);
  if (!signed) throw invalid("it is malformed");
  const { header, payload } = signed;
  const { iss, aud, iat, exp, jti, sub, sid, events } = payload;
  if (header.typ !== undefined && !/^(application\/)?(logout\+jwt|jwt)$/i.test(header.typ))
    throw invalid("its header's typ must be logout+jwt or JWT");
  if (iss !== issuer) throw invalid("it is from another issuer");
  if (![aud].flat().includes(clientId)) throw invalid("it is for another client");
  const nowSeconds = clock.now() / 1000;
  if (typeof iat !== "number" || iat > nowSeconds + clockToleranceSeconds)
    throw invalid("its iat is missing or in the future");
  if (iat < nowSeconds - oldestSeconds) throw invalid("it is too old");
  if (exp !== undefined && !(typeof exp === "number" && exp > nowSeconds - clockToleranceSeconds))
    throw invalid("it has expired");
  if (typeof jti !== "string" || jti === "" || jti.length > 500) throw invalid("it has no id");
  if ("nonce" in payload) throw invalid("it has a nonce, as ID tokens have");
  const event = (events as Record<string, unknown> | null | undefined)?.[logoutEvent];
  if (typeof event !== "object" || event === null) throw invalid("it has no logout event");
  const subject = textIn(sub);
  const providerSession = textIn(sid);
  if (subject === null && providerSession === null) throw invalid("it names no user and no session");
  if (!(await provider.hasSigned(signed))) throw invalid("the identity provider did not sign it");
  return { tokenId: jti, subject, providerSession };
}

function textIn(claim: unknown): string | null {
  return typeof claim === "string" && claim.trim() !== "" ? claim : null;
}

async function useOnce(queries: Queries, issuer: string, tokenId: string): Promise<void> {
  const expiresAt = new Date(clock.now() + (oldestSeconds + 2 * clockToleranceSeconds) * 1000);
  const [first] = await queries
    .insert(usedLogoutTokens)
    .values({ issuer, tokenId, expiresAt })
    .onConflictDoNothing()
    .returning({ tokenId: usedLogoutTokens.tokenId });
  if (!first) throw invalid("it was already used");
}

/** Ends the sessions opened from one provider session, or all of this user's provider sessions. */
async function endSessions(
  queries: Queries,
  issuer: string,
  { subject, providerSession }: Logout,
  { ip, requestId }: Origin,
): Promise<string[]> {
  const rows = await queries
    .select({ id: sessions.id, userId: sessions.userId })
    .from(providerSessions)
    .innerJoin(identities, eq(identities.id, providerSessions.identityId))
    .innerJoin(sessions, eq(sessions.id, providerSessions.sessionId))
    .where(
      and(
        eq(identities.issuer, issuer),
        isNull(sessions.revokedAt),
        subject === null ? undefined : eq(identities.subject, subject),
        providerSession === null
          ? undefined
          : or(
              eq(providerSessions.providerSession, providerSession),
              // A sign-in without a named provider session ends with any session of the person.
              subject === null ? undefined : isNull(providerSessions.providerSession),
            ),
      ),
    );
  for (const { id, userId } of rows) {
    await queries.update(sessions).set({ revokedAt: clock.date() }).where(eq(sessions.id, id));
    if (userId !== null)
      await recordAuditOfPerson(queries, userId, {
        actor: null,
        action: "session.ended",
        targetId: id,
        detail: { user_id: userId, sessions: 1, by: "identity_provider" },
        ip,
        requestId,
      });
  }
  return rows.map(({ id }) => id);
}

function invalid(reason: string): ApiError {
  return new ApiError("logout_token_invalid", `The logout token is not valid: ${reason}.`);
}

export const usedLogoutTokenSweep = rowSweep({
  kind: "used_logout_tokens",
  table: "used_logout_tokens",
  dueAt: "expires_at",
});
