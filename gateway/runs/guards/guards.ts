import { type GuardStage, guardStages } from "#contract/guard-constants.ts";
import {
  type Guard,
  type GuardActivity,
  type GuardActivityQuery,
  type GuardCreate,
  type GuardQuestion,
  type GuardTest,
  type GuardUpdate,
  type GuardWithSecret,
  guardRoutes,
  operatorGuardRoutes,
} from "#contract/guards.ts";
import { newId } from "#contract/ids.ts";
import { type Deleted, deleted } from "#contract/list.ts";
import { maxLiveSecrets, type RotateSecret } from "#contract/webhook.ts";
import { audited } from "#gateway/access/accounts/audit.ts";
import { checkedEndpointUrl } from "#gateway/events/webhooks/endpoints/create.ts";
import { isCallable } from "#gateway/models/providers/http/http-client.ts";
import { type Caller, madeBy } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { englishOf } from "#gateway/platform/core/sentences.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, inArray, isNull } from "#gateway/platform/database/drizzle.ts";
import { apiKeys, guards } from "#gateway/platform/database/schema.ts";
import { everyAccount, readFigures, stepMs } from "#gateway/platform/figures/read.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { type GuardOutcome, type GuardRow, openGuard } from "./ask.ts";
import { guardSealer, liveGuardSecrets, newGuardSecret, overlapping } from "./secrets.ts";

/** The owner of a guard: an account; null: the installation. */
type Owner = string | null;

export function installGuards(app: App, context: RunsContext): void {
  const own = ({ actor }: Caller) => actor.accountId;
  serve(app, context, guardRoutes, {
    "GET /account/guard": ({ caller }) => readGuard(context, own(caller)),
    "POST /account/guard": ({ caller, body }) => createGuard(context, caller, own(caller), body),
    "PATCH /account/guard": ({ caller, body }) => updateGuard(context, caller, own(caller), body),
    "DELETE /account/guard": ({ caller }) => deleteGuard(context, caller, own(caller)),
    "POST /account/guard/rotate_secret": ({ caller, body }) =>
      rotateSecret(context, caller, own(caller), body ?? {}),
    "POST /account/guard/test": ({ caller, body }) => testGuard(context, caller, own(caller), body?.stage),
    "GET /account/guard/activity": ({ caller, query }) => guardActivity(context, own(caller), query),
  });
  serve(app, context, operatorGuardRoutes, {
    "GET /operator/guard": () => readGuard(context, null),
    "POST /operator/guard": ({ caller, body }) => createGuard(context, caller, null, body),
    "PATCH /operator/guard": ({ caller, body }) => updateGuard(context, caller, null, body),
    "DELETE /operator/guard": ({ caller }) => deleteGuard(context, caller, null),
    "POST /operator/guard/rotate_secret": ({ caller, body }) =>
      rotateSecret(context, caller, null, body ?? {}),
    "POST /operator/guard/test": ({ caller, body }) => testGuard(context, caller, null, body?.stage),
    "GET /operator/guard/activity": ({ query }) => guardActivity(context, null, query),
  });
}

/** Throws `guard_not_found`. */
async function readGuard({ database }: RunsContext, owner: Owner): Promise<Guard> {
  const [row] = await database.queries.select().from(guards).where(isOf(owner));
  return guardView(there(row));
}

/**
 * Sets the guard of an owner; only this answer contains its secret. Throws `guard_exists`, and as
 * `checkedSettings`.
 */
async function createGuard(
  context: RunsContext,
  caller: Caller,
  owner: Owner,
  { url, ...input }: GuardCreate,
): Promise<GuardWithSecret> {
  const id = newId("guard");
  const { secret, stored } = newGuardSecret(context.config, id);
  const made = await audited(context, caller, "guard.created", async (queries) => {
    const settings = await checkedSettings(context, queries, caller, owner, { url, ...input }, null);
    const [row] = await queries
      .insert(guards)
      .values({
        id,
        accountId: owner,
        url,
        stages: ["input"],
        onError: "block",
        secrets: [stored],
        ...settings,
      })
      .onConflictDoNothing()
      .returning();
    if (!row) throw new ApiError("guard_exists", "There is a guard already. Change it, or remove it first.");
    const view = guardView(row);
    return { target: id, detail: { of: ownerName(owner), ...settingsOf(view) }, result: { ...view, secret } };
  });
  context.guards.changed(owner);
  return made;
}

/** Throws `guard_not_found`, and as `checkedSettings`. */
async function updateGuard(
  context: RunsContext,
  caller: Caller,
  owner: Owner,
  input: GuardUpdate,
): Promise<Guard> {
  const changed = await audited(context, caller, "guard.updated", async (queries) => {
    const before = await lockGuard(queries, owner);
    const settings = await checkedSettings(context, queries, caller, owner, input, before);
    // A changed guard is asked at once, and shows whether it works now.
    const fresh = {
      ...settings,
      failingSince: null,
      lastError: null,
      lastErrorCode: null,
      updatedAt: clock.date(),
    };
    const [row] = await queries.update(guards).set(fresh).where(eq(guards.id, before.id)).returning();
    const view = guardView(there(row));
    return {
      target: before.id,
      detail: { before: settingsOf(guardView(before)), after: settingsOf(view) },
      result: view,
    };
  });
  context.guards.changed(owner);
  return changed;
}

/** Throws `guard_not_found`. */
async function deleteGuard(context: RunsContext, caller: Caller, owner: Owner): Promise<Deleted> {
  const gone = await audited(context, caller, "guard.deleted", async (queries) => {
    const [row] = await queries.delete(guards).where(isOf(owner)).returning();
    const { id, url } = there(row);
    return { target: id, detail: { of: ownerName(owner), url }, result: deleted("guard", id) };
  });
  context.guards.changed(owner);
  return gone;
}

/**
 * Gives a guard a new secret. Earlier ones also sign until their overlap ends. Throws `guard_not_found`,
 * `too_many_secrets`.
 */
async function rotateSecret(
  context: RunsContext,
  caller: Caller,
  owner: Owner,
  input: RotateSecret,
): Promise<GuardWithSecret> {
  const rotated = await audited(context, caller, "guard.secret_rotated", async (queries) => {
    const { id, secrets } = await lockGuard(queries, owner);
    const earlier = overlapping(secrets, input);
    if (earlier.length >= maxLiveSecrets)
      throw new ApiError(
        "too_many_secrets",
        `This guard has ${maxLiveSecrets} live secrets. Rotate again when one of them has expired, or with overlap_seconds 0, which ends all earlier ones at once.`,
      );
    const { secret, stored } = newGuardSecret(context.config, id);
    const [row] = await queries
      .update(guards)
      .set({ secrets: [stored, ...earlier] })
      .where(eq(guards.id, id))
      .returning();
    return {
      target: id,
      detail: { of: ownerName(owner), earlier_secrets: earlier.length },
      result: { ...guardView(there(row)), secret },
    };
  });
  context.guards.changed(owner);
  return rotated;
}

/** Asks the guard about a chat that says hello, or about its answer, whatever its breaker says. Throws `guard_not_found`. */
async function testGuard(
  context: RunsContext,
  { actor, requestId }: Caller,
  owner: Owner,
  stage: GuardStage = "input",
): Promise<GuardTest> {
  const [row] = await context.database.queries.select().from(guards).where(isOf(owner));
  const guard = openGuard(guardSealer(context.config), there(row));
  const { keyId, userId } = madeBy(actor);
  const question: GuardQuestion = {
    object: "guard_question",
    id: newId("guard"),
    stage,
    test: true,
    created_at: clock.date().toISOString(),
    request_id: requestId,
    run_id: null,
    operation: "chat-completions",
    model: "test/model",
    alias: null,
    region: context.config.homeRegion,
    caller: { account_id: actor.accountId, key_id: keyId, user_id: userId },
    metadata: null,
    input: stage === "input" ? { messages: [{ role: "user", content: "Hello" }] } : null,
    output: stage === "output" ? helloAnswer : null,
    native: null,
    files: [],
  };
  const since = performance.now();
  const outcome: GuardOutcome = await context.guards.askNow(guard, question, AbortSignal.any([]));
  return {
    object: "guard_test",
    result: outcome.result,
    reason: "reason" in outcome ? outcome.reason : null,
    ...("code" in outcome && outcome.code && { reason_codes: [outcome.code] }),
    duration_ms: Math.round((performance.now() - since) * 10) / 10,
  };
}

const helloAnswer: GuardQuestion["output"] = {
  text: "Hello!",
  piece: null,
  choice: null,
  is_complete: true,
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "Hello!" } }],
};

const usualSteps = { hour: 24, day: 30 } as const;
const mostSteps = 1_500;

/** How often the guard of an owner was asked, and what came of it. Throws `invalid_parameter`. */
async function guardActivity(
  { database }: RunsContext,
  owner: Owner,
  { step = "hour", ...query }: GuardActivityQuery,
): Promise<GuardActivity> {
  const to = query.to === undefined ? clock.now() : Date.parse(query.to);
  const from = query.from === undefined ? to - usualSteps[step] * stepMs[step] : Date.parse(query.from);
  if (from >= to || to - from > mostSteps * stepMs[step])
    throw invalidParameter("from", `from must be before to, with at most ${mostSteps} steps between them.`);
  const rows = await readFigures(database, {
    ...{ accountId: owner ?? everyAccount, set: "guard", kinds: ["guard"], step, from, to },
    by: ["operation"],
    only: { provider: ownerName(owner) },
  });
  const data = [...Map.groupBy(rows, ({ at }) => at)]
    .toSorted(([one], [other]) => one - other)
    .flatMap(([at, ofStep]) =>
      guardStages.flatMap((stage) => {
        const asked = ofStep.filter(({ labels }) => labels[0] === stage);
        const count = (result: GuardOutcome["result"]) =>
          asked.reduce((sum, { code, runs }) => (code === result ? sum + runs : sum), 0);
        const [allowed, blocked] = [count("allowed"), count("blocked")];
        const [replaced, failed] = [count("replaced"), count("failed")];
        if (asked.length === 0) return [];
        return [{ at: new Date(at).toISOString(), stage, allowed, blocked, replaced, failed }];
      }),
    );
  const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  return { object: "list", step, ...range, data };
}

function guardView(row: GuardRow): Guard {
  const [current, ...earlier] = liveGuardSecrets(row.secrets);
  return {
    object: "guard",
    enabled: row.enabled,
    url: row.url,
    stages: row.stages,
    streams: row.streams,
    hold_characters: row.holdCharacters,
    on_error: row.onError,
    operations: row.operations,
    models: row.models,
    keys: row.keyIds,
    except_keys: row.exceptKeyIds,
    gated_contents: row.answeredBy !== null,
    answered_by: row.answeredBy,
    allow_private: row.allowPrivate,
    secret_hint: current?.hint ?? "",
    previous_secrets: earlier.flatMap(({ hint, expiresAt }) =>
      expiresAt === null ? [] : [{ hint, expires_at: expiresAt }],
    ),
    failing_since: row.failingSince?.toISOString() ?? null,
    last_error: row.lastError,
    // A release without codes writes only the text.
    ...(row.lastErrorCode &&
      englishOf(row.lastErrorCode) === row.lastError && { last_error_codes: [row.lastErrorCode] }),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** What audit rows say of a guard. */
function settingsOf(guard: Guard) {
  const { enabled, url, stages, streams, hold_characters, on_error, operations, models, keys } = guard;
  const { except_keys, gated_contents, allow_private } = guard;
  return {
    ...{ enabled, url, stages, streams, hold_characters, on_error, operations, models, keys },
    ...{ except_keys, gated_contents, allow_private },
  };
}

const ownerName = (owner: Owner) => (owner === null ? "installation" : "account");
const isOf = (owner: Owner) => (owner === null ? isNull(guards.accountId) : eq(guards.accountId, owner));

function there<Row>(row: Row | undefined): Row {
  if (row) return row;
  throw new ApiError("guard_not_found", "There is no guard. Set one first.");
}

async function lockGuard(queries: Queries, owner: Owner): Promise<GuardRow> {
  const [row] = await queries.select().from(guards).where(isOf(owner)).for("update");
  return there(row);
}

/**
 * The columns of a request's settings. Throws `invalid_webhook_url`, `private_address_not_allowed`,
 * `invalid_parameter`, and `user_session_required` if nobody could answer for gated contents.
 */
async function checkedSettings(
  context: RunsContext,
  queries: Queries,
  { actor }: Caller,
  owner: Owner,
  input: GuardUpdate,
  before: GuardRow | null,
): Promise<Partial<typeof guards.$inferInsert>> {
  const { enabled, stages, streams, hold_characters, on_error: onError, operations, models, keys } = input;
  const { except_keys: exceptKeyIds } = input;
  const allowPrivate = input.allow_private ?? before?.allowPrivate ?? false;
  const text = input.url ?? (input.allow_private === false ? before?.url : undefined);
  const url = text === undefined ? undefined : await checkedUrl(context, text, allowPrivate);
  const [only, except] = [keys === undefined ? before?.keyIds : keys, exceptKeyIds ?? before?.exceptKeyIds];
  if ((keys ?? exceptKeyIds) && only && except && except.length > 0)
    throw invalidParameter("except_keys", "Name keys or except_keys, not both.");
  await assertKeys(queries, owner, "keys", keys ?? []);
  await assertKeys(queries, owner, "except_keys", exceptKeyIds ?? []);
  const unknown = models?.find((id) => !context.catalog.has(id, actor.accountId));
  if (unknown !== undefined && owner !== null)
    throw invalidParameter("models", `This account has no model ${unknown}.`);
  // Who changes the address answers for what goes there.
  const isMoved = url !== undefined && url !== before?.url && before?.answeredBy != null;
  const { gated_contents: gated = isMoved || undefined } = input;
  const answerer = owner === null ? (actor.userId ?? actor.id) : actor.userId;
  if (gated && answerer === null)
    throw new ApiError(
      "user_session_required",
      "A person must answer for gated contents. Do this while you are signed in, or turn them off.",
      { param: "gated_contents" },
    );
  return {
    ...(enabled !== undefined && { enabled }),
    ...(url !== undefined && { url }),
    ...(stages && { stages }),
    ...(streams && { streams }),
    ...(hold_characters !== undefined && { holdCharacters: hold_characters }),
    ...(onError && { onError }),
    ...(operations !== undefined && { operations }),
    ...(models !== undefined && { models }),
    ...(keys !== undefined && { keyIds: keys }),
    ...(exceptKeyIds && { exceptKeyIds }),
    ...(gated !== undefined && { answeredBy: gated ? answerer : null }),
    ...(input.allow_private !== undefined && { allowPrivate }),
  };
}

/** The address to store. Each question checks again where it leads. */
async function checkedUrl({ config }: RunsContext, text: string, allowPrivate: boolean): Promise<string> {
  const url = URL.parse(text);
  if (url?.host === new URL(config.publicUrl).host)
    throw invalidParameter("url", "This is the gateway's own address. Enter that of your program.");
  if (!allowPrivate) return (await checkedEndpointUrl(config, text)).url;
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.hash !== "" ||
    url.username !== "" ||
    url.password !== ""
  )
    throw invalidParameter("url", "Enter an http or https address without a name, a password or a fragment.");
  const literal = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (/^[\d.]+$|:/.test(literal) && !isCallable(literal))
    throw invalidParameter("url", `${literal} is reserved for services of the machine or cloud.`);
  return url.href;
}

async function assertKeys(
  queries: Queries,
  owner: Owner,
  param: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const rows = await queries
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(inArray(apiKeys.id, [...ids]), owner === null ? undefined : eq(apiKeys.accountId, owner)));
  const known = new Set(rows.map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) throw invalidParameter(param, `There is no key ${unknown}.`);
}
