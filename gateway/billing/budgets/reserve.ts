import type { BudgetHolder, BudgetPeriod } from "#contract/money/budgets.ts";
import { budgetPeriods } from "#contract/money/budgets.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import type { Database } from "#gateway/platform/database/database.ts";
import { type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import {
  accounts,
  apiKeys,
  batches,
  budgetBalances,
  members,
  moneyReservations,
} from "#gateway/platform/database/schema.ts";
import { lockOrder, lockOrderOf } from "./book.ts";
import { startOf } from "./periods.ts";

/** A reservation is released after this time if its process stops renewing it. */
export const keptMs = 60_000;

/** The most that a run can cost; null: it has no price, or neither the run nor its model limits its usage. */
export type Most = { amount: string } | { amount: null; reason: "not priced" | "no maximum" };

/** The holders whose budgets a run must stay within. */
export interface Spender {
  actor: Pick<Actor, "accountId" | "kind" | "id" | "userId">;
  batchId: string | null;
}

/** A budget that applies to a run; `credit`: the balance of a prepaid account. */
export interface BudgetFound {
  kind: BudgetHolder;
  holder: string;
  name: string | null;
  isCredit: boolean;
  amount: string;
  currency: string;
  period: BudgetPeriod;
  hard: boolean;
  startsOn: string;
  spent: string;
  reserved: string;
  left: string;
  fits: boolean;
}

export type Reserving =
  | { state: "no budgets" }
  | { state: "reserved" }
  /** The first budget without room, or that needs a price for a run without one. */
  | { state: "refused"; budget: BudgetFound };

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
      select b.kind, b.holder, b.period, b.starts_on, b.spent, b.reserved
      from (select distinct kind, holder, period, starts_on from limits) w join ${budgetBalances} b on ${isSame}
      order by ${lockOrderOf("b.")}
      for no key update of b
    ), answer as materialized (
      select w.*, b.spent, b.reserved, b.holder is not null as exists,
        not w.hard or ${asked} = 0 or coalesce(b.spent + b.reserved + ${asked} <= w.amount, false) as fits
      from limits w left join locked b on ${isSame}
    ), verdict as materialized (
      -- A power failure that loses a reservation also ends the run, or the balance has lost it, too.
      select bool_and(exists and fits) as ok, set_config('synchronous_commit', 'off', true) from answer
    ), reserved as (
      update ${budgetBalances} b set reserved = b.reserved + coalesce(${asked}, 0)
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
      trim_scale(amount - spent - reserved)::text as left, fits, exists
    from answer order by hard desc, ${lockOrder}, amount`);
  return rows;
}

/** `limits`: the current budgets of everybody who pays for the run, with their current periods. */
function limitsOf({ actor, batchId }: Spender, atMs: number): SQL {
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
    holders.push(sql`select 'key', id, name, budgets, null from ${apiKeys} where id = ${actor.id}`);
  if (batchId !== null)
    holders.push(sql`select 'batch', id, name, budgets, null from ${batches} where id = ${batchId}`);
  const starts = budgetPeriods.map((period) => sql`(${period}, ${startOf(period, atMs)})`);
  return sql`holders as (${sql.join(holders, sql` union all `)}), limits as (
    select kind, holder, name, false as is_credit, amount, currency, period, hard, starts_on
    from holders cross join lateral jsonb_to_recordset(budgets)
      as budget (amount numeric, currency text, period text, hard boolean)
      join (values ${sql.join(starts, sql`, `)}) as starts (period, starts_on) using (period)
    union all
    select kind, holder, name, true, credit, '', 'total', true, '' from holders where credit is not null
  )`;
}

/** Adds balances for a period without spending so far. */
async function addBalances(database: Database, { actor }: Spender, found: readonly Found[]): Promise<void> {
  const missing = found.filter(({ exists }) => !exists);
  const rows = missing.map(({ kind, holder, period, startsOn }) => ({
    kind,
    holder,
    period,
    starts_on: startsOn,
  }));
  await database.queries.execute(sql`
    insert into ${budgetBalances} (kind, holder, period, starts_on, account_id)
    select kind, holder, period, starts_on, ${actor.accountId} from (
      select distinct kind, holder, period, starts_on
      from json_to_recordset(${JSON.stringify(rows)}::json) as row (kind text, holder text, period text, starts_on text)
    ) added order by ${lockOrder}
    on conflict do nothing`);
}
