import {
  type ClaimsReport,
  type Identity,
  oidcRoutes,
  type ProviderAnswer,
  type ProviderFinished,
  type ProviderStart,
  type ProviderStarted,
  providerLogoutRoutes,
} from "#contract/accounts/oidc.ts";
import { type Deleted, deleted } from "#contract/list.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import type { Actor, Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { OidcConfig } from "#gateway/platform/core/oidc-config.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, asc, desc, eq, gt, inArray, isNotNull } from "#gateway/platform/database/drizzle.ts";
import { accounts, identities, providerSignIns, users } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { tooManyRequests } from "#gateway/platform/http/limits.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import type { Limit } from "#gateway/platform/limits/limiter.ts";
import { addressBlock } from "#gateway/platform/network/address-rules.ts";
import { recordOwnAudit } from "../audit.ts";
import { assertOpen, findByToken } from "../invitations/accept.ts";
import { type Origin, originOf } from "../sessions/open.ts";
import { allClaims, domainRefusal, emailOf, type ProvedClaims, refusalTexts } from "./claims.ts";
import { logOutByProvider } from "./logout.ts";
import { decideRoles, firstAccount, rolesOfNewMember } from "./memberships.ts";
import { createProvider, failed, type Provider } from "./provider.ts";
import {
  beginSignIn,
  type Intent,
  insertIdentity,
  markVerified,
  readPerson,
  type SignInRow,
  signInWithProvider,
  takeSignIn,
} from "./sign-in.ts";

const formType = "application/x-www-form-urlencoded";

/** Sign-in with the configured identity provider. */
export function installOidc(app: App, context: AccessContext): void {
  const { config, log, database } = context;
  const settings = config.oidc;
  const known = settings && createProvider(settings, () => `${config.consoleUrl}/sign-in/callback`, log);

  const provider = (): Provider => {
    if (!known)
      throw new ApiError(
        "provider_not_configured",
        "This installation has no identity provider. An operator can set up one with OIDC_ISSUER.",
      );
    return known;
  };
  serve(app, context, oidcRoutes, {
    "GET /account/oidc": async () => ({
      object: "identity_provider" as const,
      name: settings?.signIn ? settings.name : null,
    }),
    "POST /account/oidc/start": async (request, reply) => {
      const { actor, body, clientAddress } = request;
      const started = await startProviderSignIn(context, provider(), body, actor, clientAddress);
      return reply.header("cache-control", "no-store").send(started);
    },
    "POST /account/oidc/callback": async (request, reply) => {
      const { actor, body } = request;
      const finished = await finishProviderSignIn(context, provider(), body, actor, originOf(request));
      return reply.header("cache-control", "no-store").send(finished);
    },
    "GET /account/oidc/claims": async ({ caller }) => ({
      object: "last_claims_report" as const,
      report: await lastReport(database.queries, caller.actor),
    }),
    "GET /account/identities": async ({ caller }) => ({
      object: "list" as const,
      data: await listIdentities(database.queries, caller.actor.id),
    }),
    "DELETE /account/identities/{id}": (request) =>
      unlinkIdentity(context, request.caller, request.params.id),
  });

  // The provider calls this itself, with its token as the credential.
  app.register(async (scope) => {
    const form = scope as App;
    form.removeAllContentTypeParsers();
    form.addContentTypeParser(formType, { parseAs: "string" }, (_request, text, done) =>
      done(null, Object.fromEntries(new URLSearchParams(text as string))),
    );
    serve(form, context, providerLogoutRoutes, {
      "POST /account/oidc/logout": async (request, reply) => {
        const { logout_token: token } = request.body;
        const ended = await logOutByProvider(context, provider(), token, originOf(request));
        return reply.header("cache-control", "no-store").send({ object: "provider_logout" as const, ended });
      },
    });
  });
}

const starts: Limit = { name: "provider sign-ins", count: 60, periodMs: 60_000 };

/**
 * Sends a browser to the provider. Throws `provider_not_configured`, `user_session_required`,
 * `operator_required`, `service_unavailable`, and as `findByToken` and `assertOpen`.
 */
async function startProviderSignIn(
  { database, limiter }: AccessContext,
  provider: Provider,
  input: ProviderStart,
  signedIn: Actor | null,
  ip: string,
): Promise<ProviderStarted> {
  const { queries } = database;
  const taken = await limiter.take(addressBlock(ip), starts);
  if (!taken.allowed)
    throw tooManyRequests("Too many sign-ins were started. Wait a minute and try again.", taken);
  const purpose = input.purpose ?? "sign_in";
  const intent: Intent = { purpose, userId: null, invitation: null };
  if (purpose === "sign_in") {
    assertSwitchedOn(provider);
    if (input.invitation_token !== undefined) {
      const row = await findByToken(queries, input.invitation_token);
      assertOpen(row);
      intent.invitation = { id: row.id, tokenHash: row.tokenHash };
    }
  } else {
    if (signedIn?.kind !== "user") throw new ApiError("user_session_required", "Sign in first.");
    intent.userId = signedIn.id;
    if (purpose === "check") await assertOperator(queries, signedIn);
    else assertSwitchedOn(provider);
  }
  const { expiresAt, ...expected } = await beginSignIn(queries, intent);
  return {
    object: "provider_sign_in",
    url: await provider.signInAddress(expected),
    state: expected.state,
    expires_at: expiresAt.toISOString(),
  };
}

/** Throws `operator_required` unless the caller is an operator of this installation. */
async function assertOperator(queries: Queries, actor: Actor): Promise<void> {
  const [user] =
    actor.kind === "user"
      ? await queries.select({ isOperator: users.isOperator }).from(users).where(eq(users.id, actor.id))
      : [];
  if (!user?.isOperator)
    throw new ApiError("operator_required", "Only operators of this installation can do this.");
}

/** Throws `provider_not_configured`. */
function assertSwitchedOn({ settings }: Provider): void {
  if (!settings.signIn)
    throw new ApiError(
      "provider_not_configured",
      "Signing in with the identity provider is off. Sign in in another way, or ask an operator to set OIDC_SIGN_IN=on.",
    );
}

/**
 * Processes, once, what the browser brought back from the provider. Throws `sign_in_expired`,
 * `provider_sign_in_failed`, and as `Provider.claimsFor`, `readPerson`, `signInWithProvider` and
 * `insertIdentity`.
 */
async function finishProviderSignIn(
  context: AccessContext,
  provider: Provider,
  answer: ProviderAnswer,
  signedIn: Actor | null,
  origin: Origin,
): Promise<ProviderFinished> {
  const { database } = context;
  const attempt = await takeSignIn(database.queries, answer.state);
  const { purpose, nonce, codeVerifier } = attempt;
  assertSamePerson(attempt, signedIn);
  if (answer.code === undefined) throw canceled(answer.error);
  const proved = await provider.claimsFor(
    { code: answer.code, iss: answer.iss },
    { state: answer.state, nonce, codeVerifier },
  );
  const finished = { object: "provider_sign_in" as const, purpose, session: null };
  if (purpose === "check") {
    await saveReport(database.queries, provider.settings, attempt, proved);
    return finished;
  }
  const person = await readPerson(database.queries, provider.settings, proved);
  if (purpose === "sign_in")
    return {
      ...finished,
      session: await signInWithProvider(context, provider.settings, attempt, person, origin),
    };
  const userId = attempt.userId ?? "";
  await database.transaction(async (queries) => {
    await insertIdentity(queries, userId, person, origin);
    await markVerified(queries, userId, person.email);
  });
  return finished;
}

/**
 * Only the person who started linking may finish it; otherwise a stranger's identity would be linked to them.
 */
function assertSamePerson({ userId }: SignInRow, signedIn: Actor | null): void {
  if (userId !== null && (signedIn?.kind !== "user" || signedIn.id !== userId)) throw failed();
}

/** Repeats the provider's reason only if it is a short code. */
function canceled(reason: string | undefined): ApiError {
  const code = /^[a-z_]{1,60}$/.test(reason ?? "") ? ` (${reason})` : "";
  return new ApiError(
    "provider_sign_in_failed",
    `The identity provider did not sign you in${code}. Try again.`,
  );
}

/** Stores the provider's claims and their effect for the asking operator; deleted with the attempt. */
async function saveReport(
  queries: Queries,
  settings: OidcConfig,
  { stateHash }: SignInRow,
  proved: ProvedClaims,
): Promise<void> {
  const report = await reportOf(queries, settings, proved);
  await queries.update(providerSignIns).set({ report }).where(eq(providerSignIns.stateHash, stateHash));
}

/** The operator's last report, unless it is older than ten minutes. Throws `operator_required`. */
async function lastReport(queries: Queries, actor: Actor): Promise<ClaimsReport | null> {
  await assertOperator(queries, actor);
  const [row] = await queries
    .select({ report: providerSignIns.report })
    .from(providerSignIns)
    .where(
      and(
        eq(providerSignIns.userId, actor.id),
        isNotNull(providerSignIns.report),
        gt(providerSignIns.expiresAt, clock.date()),
      ),
    )
    .orderBy(desc(providerSignIns.usedAt))
    .limit(1);
  return row?.report ?? null;
}

async function reportOf(queries: Queries, settings: OidcConfig, proved: ProvedClaims): Promise<ClaimsReport> {
  const claims = allClaims(proved);
  const email = emailOf(proved);
  const first = await firstAccount(queries);
  const decision = decideRoles(settings, claims, first);
  const given = rolesOfNewMember(settings, decision, first);
  const named = await queries
    .select({ id: accounts.id, name: accounts.name })
    .from(accounts)
    .where(
      inArray(
        accounts.id,
        given.map(({ accountId }) => accountId),
      ),
    );
  const refusal = domainRefusal(settings, claims, email) ?? (given.length === 0 ? "no_role" : null);
  return {
    object: "claims_report",
    at: clock.date().toISOString(),
    claims,
    email: email?.address ?? null,
    email_verified: email?.verified ?? false,
    refusal: refusal && refusalTexts[refusal],
    refusal_code: refusal,
    role_claim: decision.state,
    role_values: decision.values,
    unmapped_values: decision.unmapped,
    roles: given.map(({ accountId, role, by }) => ({
      account_id: accountId,
      account_name: named.find(({ id }) => id === accountId)?.name ?? null,
      role,
      by,
    })),
  };
}

/** A person's identities at identity providers. */
async function listIdentities(queries: Queries, userId: string): Promise<Identity[]> {
  const rows = await queries
    .select()
    .from(identities)
    .where(eq(identities.userId, userId))
    .orderBy(asc(identities.id));
  return rows.map(({ id, issuer, email, createdAt, lastSignedInAt }) => ({
    id,
    object: "identity",
    issuer,
    email,
    linked_at: createdAt.toISOString(),
    last_signed_in_at: lastSignedInAt?.toISOString() ?? null,
  }));
}

/** Throws `identity_not_found`, `only_way_to_sign_in`. */
async function unlinkIdentity({ database }: AccessContext, caller: Caller, id: string): Promise<Deleted> {
  const { actor } = caller;
  await database.transaction(async (queries) => {
    const [user] = await queries.select().from(users).where(eq(users.id, actor.id)).for("update");
    const own = await listIdentities(queries, actor.id);
    const found = own.find((identity) => identity.id === id);
    if (!found) throw new ApiError("identity_not_found", "You have no linked sign-in with this id.");
    if (own.length === 1 && !user?.passwordHash)
      throw new ApiError(
        "only_way_to_sign_in",
        "Without it you could no longer sign in. Set a password first: a colleague or an operator can create a reset link.",
      );
    await queries.delete(identities).where(and(eq(identities.id, id), eq(identities.userId, actor.id)));
    const detail = { issuer: found.issuer, email: found.email };
    await recordOwnAudit(queries, caller, { action: "identity.unlinked", targetId: id, detail });
  });
  return deleted("identity", id);
}
