import { isId } from "#contract/ids.ts";
import type { List } from "#contract/list.ts";
import { type Task, type TaskQuery, type TaskRaise, taskRoutes } from "#contract/money/budgets.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import type { Actor, Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { findOwn, readPage } from "#gateway/platform/database/account-rows.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, getTableColumns, inArray, or, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { keyset } from "#gateway/platform/database/keyset.ts";
import { accounts, apiKeys, budgetBalances, tasks } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { assertPermitted } from "#gateway/platform/http/not-permitted.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { audited } from "../audit.ts";
import { assertNotCapped, lockKeys } from "../keys/made-keys.ts";
import { lockKey } from "../keys/owner.ts";

/** The tasks of an account: what each value of a capped metadata key spent, and how its limit is raised. */
export function installTasks(app: App, context: AccessContext): void {
  serve(app, context, taskRoutes, {
    "GET /tasks": ({ caller, query }) => listTasks(context, caller.actor, query),
    "GET /tasks/{id}": ({ caller, params }) => readTask(context, caller.actor, params.id),
    "POST /tasks/{id}/raise": ({ caller, params, body }) => raiseTask(context, caller, params.id, body),
    "POST /tasks/{id}/end": ({ caller, params }) => endTask(context, caller, params.id),
  });
}

async function listTasks(context: AccessContext, actor: Actor, query: TaskQuery): Promise<List<Task>> {
  await context.meter.flush();
  const { queries } = context.database;
  const page = keyset("task", tasks.id, query, [
    visibleTasks(queries, actor),
    query.holder === undefined ? undefined : eq(tasks.holder, query.holder),
    query.value === undefined ? undefined : eq(tasks.value, query.value),
  ]);
  return readPage(queries, page, selectTasks(queries).$dynamic(), (rows) =>
    rows.map((row) => taskView(row, context.config.currency)),
  );
}

/** Throws `task_not_found`, also for a task that the caller may not see. */
async function readTask(context: AccessContext, actor: Actor, id: string): Promise<Task> {
  await context.meter.flush();
  const { queries } = context.database;
  const [row] = await selectTasks(queries).where(and(visibleTasks(queries, actor), eq(tasks.id, id)));
  if (!row) throw taskNotFound();
  return taskView(row, context.config.currency);
}

/** All tasks of the account for callers who see its usage; for others the tasks of their keys. */
function visibleTasks(
  queries: Queries,
  { accountId, permissions, userId, kind, id }: Actor,
): SQL | undefined {
  const ofAccount = eq(tasks.accountId, accountId);
  if (permissions.has("usage:read")) return ofAccount;
  const own = queries
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(eq(apiKeys.userId, userId ?? ""));
  return and(ofAccount, or(inArray(tasks.holder, own), kind === "key" ? eq(tasks.holder, id) : undefined));
}

const cap = sql`(case when ${apiKeys.id} is null then ${accounts.taskBudget} else ${apiKeys.taskBudget} end)`;
const isCapped = sql`${cap} ->> 'metadata_key' = ${tasks.metadataKey}`;

function selectTasks(queries: Queries) {
  return queries
    .select({
      ...getTableColumns(tasks),
      holderName: sql<string>`coalesce(${apiKeys.name}, ${accounts.name})`,
      spent: sql<string>`trim_scale(coalesce(${budgetBalances.spent}, 0))::text`,
      reserved: sql<string>`trim_scale(coalesce(${budgetBalances.reserved}, 0))::text`,
      runs: sql<number>`coalesce(${budgetBalances.runs}, 0)`,
      lastRunAt: budgetBalances.lastRunAt,
      limit: sql<
        string | null
      >`trim_scale(coalesce(${tasks.amount}, case when ${isCapped} then (${cap} ->> 'amount')::numeric end))::text`,
      runLimit: sql<
        number | null
      >`coalesce(${tasks.maxRuns}, case when ${isCapped} then (${cap} ->> 'max_runs')::integer end)`,
    })
    .from(tasks)
    .innerJoin(accounts, eq(accounts.id, tasks.accountId))
    .leftJoin(apiKeys, eq(apiKeys.id, tasks.holder))
    .leftJoin(budgetBalances, and(eq(budgetBalances.holder, tasks.id), eq(budgetBalances.period, "total")));
}
type TaskRow = Awaited<ReturnType<typeof selectTasks>>[number];

function taskView(row: TaskRow, currency: string): Task {
  return {
    id: row.id,
    object: "task",
    holder: { type: isId("key", row.holder) ? "key" : "account", id: row.holder, name: row.holderName },
    metadata_key: row.metadataKey,
    value: row.value,
    amount: row.limit,
    currency,
    max_runs: row.runLimit,
    raised: row.amount !== null || row.maxRuns !== null,
    spent: row.spent,
    reserved: row.reserved,
    runs: row.runs,
    ended_at: row.endedAt?.toISOString() ?? null,
    last_run_at: row.lastRunAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  };
}

/**
 * Raises the limits of a task, and opens it again if it was ended. A limit that is already higher stays.
 * Throws `task_not_found`, and as `lockTask`.
 */
async function raiseTask(
  context: AccessContext,
  caller: Caller,
  id: string,
  asked: TaskRaise,
): Promise<Task> {
  await audited(context, caller, "task.raised", async (queries) => {
    const { value, metadataKey } = await lockTask(queries, caller.actor, id);
    const [before] = await selectTasks(queries).where(eq(tasks.id, id));
    if (!before) throw taskNotFound();
    const { limit, runLimit } = before;
    // A limit that the cap does not have is null, and stays null.
    await queries
      .update(tasks)
      .set({
        ...(asked.amount !== undefined &&
          limit !== null && { amount: sql`greatest(${asked.amount}::numeric, ${limit}::numeric)` }),
        ...(asked.max_runs !== undefined &&
          runLimit !== null && { maxRuns: Math.max(asked.max_runs, runLimit) }),
        endedAt: null,
      })
      .where(eq(tasks.id, id));
    return { target: id, detail: { metadata_key: metadataKey, value, ...asked }, result: undefined };
  });
  return readTask(context, caller.actor, id);
}

/** Ends a task: its further runs are refused until somebody raises its limit. Throws as `lockTask`. */
async function endTask(context: AccessContext, caller: Caller, id: string): Promise<Task> {
  await audited(context, caller, "task.ended", async (queries) => {
    const { value, metadataKey, endedAt } = await lockTask(queries, caller.actor, id);
    if (endedAt) return { unchanged: undefined };
    await queries.update(tasks).set({ endedAt: clock.date() }).where(eq(tasks.id, id));
    return { target: id, detail: { metadata_key: metadataKey, value }, result: undefined };
  });
  return readTask(context, caller.actor, id);
}

/**
 * The task, locked, if the caller may change the cap behind it: the account's, or that of the key. Throws
 * `task_not_found`, `insufficient_scope`, and as `lockKey`.
 */
async function lockTask(queries: Queries, actor: Actor, id: string): Promise<typeof tasks.$inferSelect> {
  const { accountId } = actor;
  await lockKeys(queries, accountId);
  const task = await findOwn(queries, tasks, { accountId, id, lock: "update" }, taskNotFound);
  await assertNotCapped(queries, actor);
  if (!isId("key", task.holder)) {
    await assertPermitted(queries, actor, "budgets:manage");
    return task;
  }
  const [key] = await queries
    .select({ boundTo: apiKeys.boundTo })
    .from(apiKeys)
    .where(eq(apiKeys.id, task.holder));
  const boundTo = key?.boundTo ?? null;
  // A connection's owner may change its budgets; changing those of other keys needs the permission.
  if (boundTo === null) await assertPermitted(queries, actor, "keys:manage");
  await lockKey(queries, actor, task.holder, boundTo);
  return task;
}

function taskNotFound(): ApiError {
  return new ApiError("task_not_found", "There is no such task, or it was forgotten.");
}
