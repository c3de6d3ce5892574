import { newId } from "#contract/ids.ts";
import type { Metadata } from "#contract/metadata.ts";
import { type BalanceHolder, type BudgetPeriod, budgetPeriods, taskLimits } from "#contract/money/budgets.ts";
import { type Actor, holdersOf } from "#gateway/platform/core/actor.ts";
import type { Database, Queries } from "#gateway/platform/database/database.ts";
import { eq, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import {
  accounts,
  apiKeys,
  batches,
  budgetBalances,
  members,
  moneyReservations,
  tasks,
} from "#gateway/platform/database/schema.ts";
import { booked, freed, freedChanges, lockOrder, lockOrderOf } from "./book.ts";
import { startOf } from "./state.ts";

/** A reservation is released after this time if its process stops renewing it. */
export const keptMs = 60_000;

/** The most that a run can cost; null: it has no price, or neither the run nor its model limits its usage. */
export type Most = { amount: string } | { amount: null; reason: "not priced" | "no maximum" };

/** The holders whose budgets a run must stay within. */
export interface Spender {
  actor: Pick<Actor, "accountId" | "kind" | "id" | "userId" | "taskKeys"> & Key;
  batchId: string | null;
  /** Its values under the capped metadata keys name the tasks that the run belongs to. */
  metadata: Metadata | null;
}

/** A budget that applies to a run; `credit`: the balance of a prepaid account. */
export interface BudgetFound {
  kind: BalanceHolder;
  holder: string;
  name: string | null;
  isCredit: boolean;
  /** Null: this is the cap of a task, and it limits only the task's runs. */
  amount: string | null;
  currency: string;
  period: BudgetPeriod;
  hard: boolean;
  startsOn: string;
  spent: string;
  reserved: string;
  left: string | null;
  fits: boolean;
  /** Of a task: the account or key that caps it, its metadata key, and its runs. */
  cappedBy: string | null;
  metadataKey: string | null;
  runs: number;
  maxRuns: number | null;
  hasEnded: boolean;
}

export type Reserving =
  | { state: "no budgets" }
  | { state: "reserved" }
  /** The first budget that has no room, or that needs a price when the run has none. */
  | { state: "refused"; budget: BudgetFound }
  /** The run would start a new task, but the cap already has the maximum of `taskLimits.values` tasks. */
  | { state: "too many tasks"; budget: BudgetFound };

/**
 * Reserves `most` in every balance with a budget, or in none: one statement, which locks the balances and
 * reads their current values. `most` is null for a run without a price. The first run of a period needs a
 * second statement, which adds the balance.
 */
export async function tryReserve(
  database: Database,
  spender: Spender,
  run: { id: string; admittedAtMs: number; most: string | null },
): Promise<Reserving> {
  for (;;) {
    const found = await reserveOnce(database, spender, run);
    if (found.length === 0) return { state: "no budgets" };
    if (found.some(({ exists }) => !exists)) {
      const unknown = found.find(({ kind, holder }) => kind === "task" && holder === "");
      if (unknown && !(await addTask(database, spender, unknown)))
        return { state: "too many tasks", budget: unknown };
      await addBalances(database, spender, found);
      continue;
    }
    const refusing = found.find(({ fits }) => !fits);
    return refusing ? { state: "refused", budget: refusing } : { state: "reserved" };
  }
}

interface Found extends BudgetFound {
  exists: boolean;
}

async function reserveOnce(
  database: Database,
  spender: Spender,
  { id, admittedAtMs, most }: { id: string; admittedAtMs: number; most: string | null },
): Promise<Found[]> {
  const { accountId } = spender.actor;
  const asked = sql`${most}::numeric`;
  const isSame = sql`b.holder = w.holder and b.period = w.period and b.starts_on = w.starts_on`;
  const { rows } = await database.queries.execute<Record<string, unknown> & Found>(sql`
    with ${limitsOf(spender, admittedAtMs)}, locked as materialized (
      select b.kind, b.holder, b.period, b.starts_on, b.spent, b.reserved, b.runs
      from (select distinct kind, holder, period, starts_on from limits) w join ${budgetBalances} b on ${isSame}
      order by ${lockOrderOf("b.")}
      for no key update of b
    ), answer as materialized (
      select w.*, b.spent, b.reserved, b.runs, b.holder is not null as exists,
        (not w.hard or w.amount is null or ${asked} = 0 or coalesce(b.spent + b.reserved + ${asked} <= w.amount, false))
          and (w.max_runs is null or b.runs < w.max_runs) and not w.has_ended as fits
      from limits w left join locked b on ${isSame}
    ), verdict as materialized (
      -- A power failure that loses a reservation also ends the run, or the balance has lost it, too.
      select bool_and(exists and fits) as ok, set_config('synchronous_commit', 'off', true) from answer
    ), reserved as (
      update ${budgetBalances} b set reserved = b.reserved + coalesce(${asked}, 0),
        runs = b.runs + (b.kind = 'task')::integer,
        last_run_at = case when b.kind = 'task' then now() else b.last_run_at end
      from locked w cross join verdict where ${isSame} and ok
    ), written as (
      insert into ${moneyReservations} (run_id, account_id, amount, balances, expires_at)
      select ${id}, ${accountId}, coalesce(${asked}, 0), jsonb_agg(jsonb_build_object(
          'kind', kind, 'holder', holder, 'period', period, 'starts_on', starts_on)),
        now() + make_interval(secs => ${keptMs / 1000})
      from locked cross join verdict where ok having count(*) > 0
    )
    select kind, holder, name, is_credit as "isCredit", trim_scale(amount)::text as amount, currency, period, hard,
      starts_on as "startsOn", trim_scale(spent)::text as spent, trim_scale(reserved)::text as reserved,
      trim_scale(amount - spent - reserved)::text as left, fits, exists, capped_by as "cappedBy",
      metadata_key as "metadataKey", coalesce(runs, 0) as runs, max_runs as "maxRuns", has_ended as "hasEnded"
    from answer order by hard desc, ${lockOrder}, amount`);
  return rows;
}

/** `limits`: the current budgets of all holders that pay for the run, with their current periods. */
function limitsOf(spender: Spender, atMs: number): SQL {
  const { actor, batchId } = spender;
  const { accountId, userId } = actor;
  const holders: SQL[] = [
    sql`select 'account' as kind, id as holder, name, budgets, credit from ${accounts} where id = ${accountId}`,
  ];
  if (userId !== null)
    holders.push(
      sql`select 'member', user_id || ' ' || account_id, (select name from users where id = user_id), budgets, null
        from ${members} where account_id = ${accountId} and user_id = ${userId}`,
    );
  if (actor.kind === "key")
    holders.push(sql`select 'key', id, name, budgets, null from ${apiKeys} where ${isHolder(actor)}`);
  if (batchId !== null)
    holders.push(sql`select 'batch', id, name, budgets, null from ${batches} where id = ${batchId}`);
  const starts = budgetPeriods.map((period) => sql`(${period}, ${startOf(period, atMs)})`);
  return sql`holders as (${sql.join(holders, sql` union all `)}), limits as (
    select kind, holder, name, false as is_credit, amount, currency, period, hard, starts_on, null::text as capped_by,
      null::text as metadata_key, null::integer as max_runs, false as has_ended
    from holders cross join lateral jsonb_to_recordset(budgets)
      as budget (amount numeric, currency text, period text, hard boolean)
      join (values ${sql.join(starts, sql`, `)}) as starts (period, starts_on) using (period)
    union all
    select kind, holder, name, true, credit, '', 'total', true, '', null, null, null, false
    from holders where credit is not null${actor.taskKeys.length > 0 ? sql` union all ${tasksOf(spender)}` : sql``}
  )`;
}

type Key = { id: string; actsAs?: { id: string } | null };

/** SQL: the row of the key, or of the key as which it acts. */
export function isHolder(key: Key): SQL {
  const ids = holdersOf<{ id: string }>(key).map(({ id }) => sql`${id}`);
  return sql`id in (${sql.join(ids, sql`, `)})`;
}

/** The run's tasks with their limits. For the first run of a task the holder is still missing. */
function tasksOf({ actor, metadata }: Spender): SQL {
  const { accountId } = actor;
  const ofKey =
    actor.kind === "key"
      ? sql`union all select id, task_budget from ${apiKeys} where ${isHolder(actor)}`
      : sql``;
  return sql`
    select 'task', coalesce(task.id, ''), named.value, false, coalesce(task.amount, cap.amount), cap.currency, 'total',
      true, '', capped.id, cap.metadata_key, coalesce(task.max_runs, cap.max_runs), task.ended_at is not null
    from (select id, task_budget from ${accounts} where id = ${accountId} ${ofKey}) as capped
      cross join lateral jsonb_to_record(capped.task_budget)
        as cap (metadata_key text, amount numeric, currency text, max_runs integer)
      cross join lateral (select ${JSON.stringify(metadata ?? {})}::jsonb ->> cap.metadata_key as value) as named
      left join ${tasks} task on task.holder = capped.id and task.metadata_key = cap.metadata_key
        and task.value = named.value
    where named.value <> ''`;
}

/** Adds a task; returns false if its cap already has the maximum number of tasks. */
async function addTask(
  database: Database,
  { actor }: Spender,
  { cappedBy, metadataKey, name }: BudgetFound,
): Promise<boolean> {
  const { rowCount } = await database.queries.execute(sql`
    with known as (select count(*) as count from ${tasks} where holder = ${cappedBy})
    insert into ${tasks} (id, account_id, holder, metadata_key, value)
    select ${newId("task")}, ${actor.accountId}, ${cappedBy}, ${metadataKey}, ${name}
    from known where count < ${taskLimits.values}
    on conflict (holder, metadata_key, value) do update set value = excluded.value`);
  return (rowCount ?? 0) > 0;
}

/** Adds balances for a period without spending so far. */
async function addBalances(database: Database, { actor }: Spender, found: readonly Found[]): Promise<void> {
  const missing = found.filter(({ exists, holder }) => !exists && holder !== "");
  const rows = missing.map(({ kind, holder, period, startsOn }) => ({
    kind,
    holder,
    period,
    starts_on: startsOn,
  }));
  await database.queries.execute(sql`
    insert into ${budgetBalances} (kind, holder, period, starts_on, account_id, last_run_at)
    select kind, holder, period, starts_on, ${actor.accountId}, case when kind = 'task' then now() end from (
      select distinct kind, holder, period, starts_on
      from json_to_recordset(${JSON.stringify(rows)}::json) as row (kind text, holder text, period text, starts_on text)
    ) added order by ${lockOrder}
    on conflict do nothing`);
}

/** The most reservations that one statement releases. */
export const batchSize = 500;

/**
 * A prediction's reservation is released this long after its deadline, if the prediction has not ended by
 * itself.
 */
const afterDeadlineMs = 3_600_000;

/** Keeps the reservation of an accepted prediction, whose end also ends the reservation. */
export async function keepUntil(queries: Queries, runId: string, deadline: Date): Promise<void> {
  await queries
    .update(moneyReservations)
    .set({ expiresAt: new Date(deadline.getTime() + afterDeadlineMs) })
    .where(eq(moneyReservations.runId, runId));
}

/** Releases the reservations of dead processes, for one account or all; returns how many, at most a batch. */
export async function releaseExpired(
  { queries }: Database,
  accountId: string | null = null,
): Promise<number> {
  const ofAccount = accountId === null ? sql`` : sql`and account_id = ${accountId}`;
  return release(
    queries,
    sql`select run_id from ${moneyReservations} where expires_at < now() ${ofAccount}
      order by expires_at limit ${batchSize} for update skip locked`,
  );
}

async function release(queries: Queries, runIds: SQL): Promise<number> {
  const { rows } = await queries.execute<{ count: number }>(sql`
    with ${freed(runIds)}, ${freedChanges}, ${booked(sql`select * from freed_changes`)}
    select (select count(*) from freed)::int as count, (select count(*) from booked) as booked`);
  return rows[0]?.count ?? 0;
}
