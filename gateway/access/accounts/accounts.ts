import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto";
import {
  type Account,
  type AccountUpdate,
  accountRoutes,
  type Profile,
  type ProfileUpdate,
  type Session,
  type SetupCreate,
} from "#contract/accounts/account.ts";
import { accountLimitRoutes } from "#contract/accounts/limits.ts";
import { AuditRow } from "#contract/audit.ts";
import { eraseContentKey, eraseUselessKey, makeContentKey } from "#gateway/access/contents/keys.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import type { Actor, Caller } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import { deriveKeys, type MasterSecret } from "#gateway/platform/core/console-secret.ts";
import type { OidcConfig } from "#gateway/platform/core/oidc-config.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, isNotNull } from "#gateway/platform/database/drizzle.ts";
import { historyBytes } from "#gateway/platform/database/history.ts";
import { accounts, identities, members, users } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { sendListAsCsv } from "#gateway/platform/http/csv-file.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { accountOf, accountsOfUser, contentsView, createAccount } from "./account.ts";
import { installAttestations } from "./attestations/attestations.ts";
import { audited, listAuditLogs } from "./audit.ts";
import { installAccountBudgets } from "./budgets/budgets.ts";
import { forgetAllCredentials } from "./credentials.ts";
import { installDeletion } from "./deletion/deletion.ts";
import { installEmailChange } from "./email.ts";
import { installEverybodyOut } from "./everybody-out.ts";
import { installInvitations } from "./invitations/invitations.ts";
import { installKeys } from "./keys/keys.ts";
import { installOperatorKeys } from "./keys/operator-limits.ts";
import { limitsWith, readOwnLimits } from "./limits.ts";
import { installMembers } from "./members/members.ts";
import { installNetworks } from "./networks/networks.ts";
import { installOidc } from "./oidc/oidc.ts";
import { installPasswords } from "./passwords/passwords.ts";
import { chooseRetention, outlasts } from "./retention.ts";
import { secondFactorWaysOf } from "./second-factor/read.ts";
import { installSecondFactor } from "./second-factor/second-factor.ts";
import { type Origin, openSession, originOf } from "./sessions/open.ts";
import { installSessions } from "./sessions/sessions.ts";
import { setLimitColumns, setLimitsIn } from "./set-limits.ts";
import { installSuspension } from "./suspension.ts";

/**
 * Set-up, people, their sessions, the account, its attestations, keys and audit log. All of these routes are
 * extensions.
 */
export function installAccounts(app: App, context: AccessContext): void {
  const { queries } = context.database;

  // Cached, because the route is public: once an account exists, the answer never changes again.
  let needed = true;
  serve(app, context, accountLimitRoutes, {
    "GET /account/limits": ({ caller }) => readOwnLimits(context, caller.actor),
  });
  serve(app, context, accountRoutes, {
    "GET /account/setup": async () => {
      needed &&= await setupNeeded(queries);
      return { object: "setup" as const, needed, email: context.config.smtp !== null };
    },
    "POST /account/setup": async (request, reply) => {
      const session = await setUp(context, request.body, originOf(request));
      return reply.header("cache-control", "no-store").send(session);
    },
    "GET /account": async ({ caller }) => ({
      ...(await accountOf(queries, caller.actor)),
      quiet: context.config.quiet,
      keeps_outputs: context.config.keepOutputs,
      installation_retention_minutes: context.config.retentionMs / 60_000,
      contents_max_days: limitsWith(context.config, caller.actor.operatorLimits).contents_days,
      extensions: context.config.extensions,
    }),
    "PATCH /account": (request) => updateAccount(context, request.caller, request.body),
    "GET /account/profile": ({ caller }) => readProfile(queries, caller.actor),
    "PATCH /account/profile": ({ caller, body }) => updateProfile(context, caller.actor, body),
    "GET /accounts": async ({ caller }) => ({
      object: "list" as const,
      data: await accountsOfUser(queries, caller.actor.id),
    }),
    "GET /account/history": async () => ({
      object: "history" as const,
      days: context.history.days,
      audit_days: context.history.auditDays,
      size_bytes: await historyBytes(context.database),
    }),
    "GET /audit_logs": ({ caller, query }) => listAuditLogs(context, caller.actor.accountId, query),
    "GET /audit_logs/export": ({ caller: { actor }, query }, reply) =>
      sendListAsCsv(reply, { actor, permission: "audit:read", name: "audit-log", row: AuditRow }, (page) =>
        listAuditLogs(context, actor.accountId, { ...query, ...page }),
      ),
  });

  installAccountBudgets(app, context);
  installDeletion(app, context);
  installSuspension(app, context);
  installEverybodyOut(app, context);
  installNetworks(app, context);
  installMembers(app, context);
  installInvitations(app, context);
  installPasswords(app, context);
  installEmailChange(app, context);
  installOidc(app, context);
  installSessions(app, context);
  installSecondFactor(app, context);
  installAttestations(app, context);
  installKeys(app, context);
  installOperatorKeys(app, context);
}

/** Serialises concurrent set-ups; the number is arbitrary. */
const setupLock = 7_238_001;

const setupPurpose = "gatehouse setup token";

/**
 * Whether set-up is needed, because no account exists. The first one is created through the link in the
 * terminal.
 */
export async function setupNeeded(queries: Queries): Promise<boolean> {
  return (await queries.$count(accounts)) === 0;
}

/** Creates the first account and signs its owner in. Throws `setup_not_allowed`. */
async function setUp(context: AccessContext, input: SetupCreate, origin: Origin): Promise<Session> {
  if (!isSetupToken(context.config, input.setup_token))
    throw new ApiError(
      "setup_not_allowed",
      "This set-up link is not valid. Use the link that the terminal printed at start.",
      { param: "setup_token" },
    );
  return context.database.transaction(async (queries) => {
    await queries.execute(`select pg_advisory_xact_lock(${setupLock})`);
    if (!(await setupNeeded(queries)))
      throw new ApiError("setup_not_allowed", "Gatehouse is already set up. Sign in instead.");
    const { userId } = await createAccount(queries, input);
    return openSession(context, queries, userId, "setup", origin);
  });
}

function isSetupToken(master: MasterSecret, text: string): boolean {
  const given = Buffer.from(text);
  return deriveKeys(master, setupPurpose).some((key) => {
    const expected = Buffer.from(tokenOf(key));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

function tokenOf(key: KeyObject): string {
  return createHmac("sha256", key).update("first account").digest("base64url").slice(0, 32);
}

/** The signed-in person. */
async function readProfile(queries: Queries, { id }: Actor): Promise<Profile> {
  const [user] = await queries.select().from(users).where(eq(users.id, id));
  if (!user) throw new ApiError("invalid_api_key", "This user no longer exists.");
  return {
    id: user.id,
    object: "user",
    name: user.name,
    email: user.email,
    email_verified: user.emailVerifiedAt !== null,
    has_password: user.passwordHash !== null,
    operator: user.isOperator,
    language: user.language,
    created_at: user.createdAt.toISOString(),
  };
}

async function updateProfile(
  { database, credentials }: AccessContext,
  actor: Actor,
  { name, language }: ProfileUpdate,
): Promise<Profile> {
  await database.queries
    .update(users)
    .set({ ...(name !== undefined && { name: name.trim() }), ...(language !== undefined && { language }) })
    .where(eq(users.id, actor.id));
  credentials.forget(actor.id);
  return readProfile(database.queries, actor);
}

/**
 * Renames the account, changes how its members must sign in, sets the metadata keys by which usage is summed,
 * allows sharing output of gated models, or chooses a retention. Throws `provider_not_configured`, and `provider_not_tried` before
 * an owner has signed in with the provider.
 */
async function updateAccount(
  { database, config, meter, credentials, retention }: AccessContext,
  caller: Caller,
  input: AccountUpdate,
): Promise<Account> {
  const { actor } = caller;
  const { accountId } = actor;
  const name = input.name?.trim();
  const { sign_in: signIn, second_factor_required: isRequired, usage_keys: usageKeys } = input;
  const { share_gated_outputs: shareGatedOutputs, callback_hosts: hosts } = input;
  const { retention_minutes: minutes, remove_kept: removesKept = false } = input;
  const callbackHosts = hosts && [...new Set(hosts.map((host) => host.toLowerCase()))].sort();
  if (minutes === undefined && input.remove_kept !== undefined)
    throw invalidParameter("remove_kept", "remove_kept is only used with retention_minutes.");
  // Runs before this change must not be summed by the new keys.
  if (usageKeys) await meter.flush();
  const account = await audited({ database }, caller, "account.updated", async (queries) => {
    if (signIn === "provider") await assertProviderTried(queries, config.oidc, accountId);
    if (name || signIn || usageKeys || shareGatedOutputs !== undefined || callbackHosts !== undefined)
      await queries
        .update(accounts)
        .set({
          ...(name && { name }),
          ...(signIn && { signIn }),
          ...(usageKeys && { usageKeys }),
          ...(shareGatedOutputs !== undefined && { shareGatedOutputs }),
          ...(callbackHosts !== undefined && { callbackHosts }),
        })
        .where(eq(accounts.id, accountId));
    if (signIn) await forgetAllCredentials(queries);
    if (minutes !== undefined) await chooseRetention(queries, config, accountId, { minutes, removesKept });
    if (input.contents) await switchContents(queries, config, caller, input.contents);
    const from =
      isRequired === undefined
        ? undefined
        : await requireSecondFactor(queries, accountId, actor.id, isRequired);
    return {
      target: accountId,
      detail: {
        ...(name && { name }),
        ...(signIn && { sign_in: signIn }),
        ...(usageKeys && { usage_keys: usageKeys }),
        ...(shareGatedOutputs !== undefined && { share_gated_outputs: shareGatedOutputs }),
        ...(callbackHosts !== undefined && { callback_hosts: callbackHosts }),
        ...(input.contents && { contents: input.contents }),
        ...(minutes !== undefined && { retention_minutes: minutes, remove_kept: removesKept }),
        ...(from !== undefined && { second_factor_from: from?.toISOString() ?? null }),
      },
      result: await accountOf(queries, actor),
    };
  });
  credentials.forget(accountId);
  if (minutes !== undefined) await retention.reread(accountId);
  return account;
}

const daySeconds = 86_400;

/**
 * Changes what the account keeps of the contents of its calls. Switching that off erases the key of everything kept, at
 * once. Throws `invalid_parameter` for what the operator does not allow.
 */
async function switchContents(
  queries: Queries,
  config: Config,
  { actor: { accountId } }: Caller,
  asked: NonNullable<AccountUpdate["contents"]>,
): Promise<void> {
  const [account] = await queries
    .select({ contents: accounts.contents, retentionSeconds: accounts.retentionSeconds, ...setLimitColumns })
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .for("update", { of: accounts });
  const maxDays = limitsWith(config, account && setLimitsIn(account)).contents_days;
  const { keep, ...rest } = {
    ...contentsView(account?.contents ?? null, maxDays ?? undefined),
    ...asked,
  };
  if (keep === "off") {
    await eraseContentKey(queries, accountId);
    await queries.update(accounts).set({ contents: null }).where(eq(accounts.id, accountId));
    return;
  }
  if (config.contents === null)
    throw invalidParameter(
      "contents.keep",
      "This installation keeps no contents of calls (`KEEP_CONTENTS=off`). Only its operator can change that.",
    );
  if (rest.days > (maxDays ?? 0))
    throw invalidParameter(
      "contents.days",
      `Contents are kept for at most ${maxDays ?? 0} days here. The operator sets this number (\`CONTENTS_MAX_DAYS\`).`,
    );
  const seconds = account?.retentionSeconds ?? null;
  if (seconds !== null && rest.days * daySeconds > seconds) throw outlasts("Contents of calls", seconds / 60);
  // Not at a change of the days: under a wrong AUTH_SECRET the key is of use again once that is set right.
  if (asked.keep !== undefined) await eraseUselessKey(queries, config, accountId);
  await makeContentKey(queries, config, accountId);
  await queries
    .update(accounts)
    .set({ contents: { keep, ...rest } })
    .where(eq(accounts.id, accountId));
}

/** How much time members have to set one up. */
const noticeMs = 7 * 86_400_000;

/**
 * Requires a second factor of everybody in the account, starting in a week, or stops requiring it. Returns
 * when it starts.
 */
async function requireSecondFactor(
  queries: Queries,
  accountId: string,
  ownerId: string,
  isRequired: boolean,
): Promise<Date | null> {
  const [account] = await queries.select().from(accounts).where(eq(accounts.id, accountId)).for("update");
  const present = account?.secondFactorFrom ?? null;
  if (isRequired && present) return present;
  if (isRequired && (await secondFactorWaysOf(queries, ownerId)).length === 0)
    throw invalidParameter("second_factor_required", "Set up a second factor for yourself first.");
  const from = isRequired ? new Date(clock.now() + noticeMs) : null;
  await queries.update(accounts).set({ secondFactorFrom: from }).where(eq(accounts.id, accountId));
  return from;
}

/**
 * Prevents locking an account whose owners cannot sign in with the provider. Throws
 * `provider_not_configured`, `provider_not_tried`.
 */
async function assertProviderTried(
  queries: Queries,
  settings: OidcConfig | null,
  accountId: string,
): Promise<void> {
  if (!settings?.signIn)
    throw new ApiError(
      "provider_not_configured",
      "People cannot sign in with an identity provider here. An operator can set up one with OIDC_ISSUER and OIDC_SIGN_IN.",
    );
  const [owner] = await queries
    .select({ userId: members.userId })
    .from(members)
    .innerJoin(identities, eq(identities.userId, members.userId))
    .where(
      and(
        eq(members.accountId, accountId),
        eq(members.role, "owner"),
        eq(identities.issuer, settings.issuer),
        isNotNull(identities.lastSignedInAt),
      ),
    )
    .limit(1);
  if (!owner)
    throw new ApiError(
      "provider_not_tried",
      "An owner of this account must have signed in with the identity provider first.",
    );
}

/**
 * The token in the set-up link. It is derived from the master secret, so that it needs no storage and survives
 * restarts until the first account exists.
 */
export function setupToken(master: MasterSecret): string {
  const [current] = deriveKeys(master, setupPurpose);
  return tokenOf(current);
}

/** OWNER_EMAIL and OWNER_PASSWORD create the first account at the start, without the set-up page. */
export async function setUpFromSettings(context: AccessContext): Promise<void> {
  const { owner } = context.config;
  if (!owner) return;
  await context.database.transaction(async (queries) => {
    await queries.execute(`select pg_advisory_xact_lock(${setupLock})`);
    if (await setupNeeded(queries))
      await createAccount(queries, { ...owner, name: owner.email.split("@")[0] ?? owner.email });
  });
}
