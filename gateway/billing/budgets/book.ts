import {
  type BudgetHolder,
  type BudgetPeriod,
  type BudgetShare,
  balanceHolders,
  budgetShares,
} from "#contract/money/budgets.ts";
import { type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import {
  accounts,
  apiKeys,
  batches,
  budgetBalances,
  budgetThresholds,
  members,
  moneyReservations,
  tasks,
} from "#gateway/platform/database/schema.ts";

/*
 * Common table expressions that change balances inside the statement that causes the change. All of them lock
 * rows of `budget_balances` in the same order, so that statements cannot deadlock: account, member, key,
 * batch, task, and within each by id and period.
 */

export const lockOrder = lockOrderOf("");

/** The lock order for a table with an alias, such as `b.`. */
export function lockOrderOf(alias: string): SQL {
  const kinds = sql.join(
    balanceHolders.map((kind) => sql`${kind}`),
    sql`, `,
  );
  const column = (name: string) => sql.raw(alias + name);
  return sql`array_position(array[${kinds}]::text[], ${column("kind")}), ${column("holder")}, ${column("period")}, ${column("starts_on")}`;
}

/** A budget threshold that was reached for the first time in its period. */
export interface Reached {
  accountId: string;
  kind: BudgetHolder;
  holder: string;
  name: string | null;
  period: BudgetPeriod;
  startsOn: string;
  amount: string;
  currency: string;
  hard: boolean;
  spent: string;
  share: BudgetShare;
}

/** The keys of rules that act as a key, and whose runs count as that key's too. */
export function rulesActingAs(keyId: SQL): SQL {
  return sql`select id from ${apiKeys} where made_by = ${keyId} and bound_to = 'exchange'`;
}

/** The key as which the key of a rule acts; no row for other keys. */
function actedAsBy(keyId: SQL): SQL {
  return sql`select made_by from ${apiKeys} where id = ${keyId} and bound_to = 'exchange'`;
}

/** `freed`: ends the reservations of these runs. */
export function freed(runIds: SQL): SQL {
  return sql`freed as (
    delete from ${moneyReservations} where run_id in (${runIds}) returning account_id, amount, balances
  )`;
}

/** `freed_changes`: the reservations that `freed` ended, as changes. A task also gets its run back. */
export const freedChanges = sql`freed_changes as (
  select kind, holder, period, starts_on, account_id, 0::numeric as spent, -amount as reserved,
    case when kind = 'task' then -1 else 0 end as runs
  from freed cross join jsonb_to_recordset(balances) as b (kind text, holder text, period text, starts_on text)
)`;

/**
 * `charge_changes`: the charges of the lines in `from`, for every holder that pays them, in all periods of
 * the day of admission. `from` has account_id, user_id, key_id, batch_id, day and charge, which is null
 * without a price.
 */
export function chargeChanges(from: SQL): SQL {
  return sql`charge_changes as (
    select who.kind, who.holder, per.period, per.starts_on, account_id, charge as spent, 0::numeric as reserved,
      0 as runs
    from ${from} lines cross join lateral (values
      ('account', account_id), ('member', user_id || ' ' || account_id), ('key', key_id), ('batch', batch_id),
      ('key', (${actedAsBy(sql`lines.key_id`)}))
    ) as who (kind, holder) cross join lateral (values
      ('day', day), ('week', date_trunc('week', day::date)::date::text), ('month', left(day, 7) || '-01'), ('total', '')
    ) as per (period, starts_on)
    where charge <> 0 and who.holder is not null and (who.kind <> 'batch' or per.period = 'total')
  )`;
}

/**
 * `task_changes`: the charges and runs of the lines in `from`, for the tasks that their metadata names. `from`
 * has run, account_id, key_id, charge and runs; `labels` has run and metadata.
 */
export function taskChanges(from: SQL, labels: SQL): SQL {
  return sql`task_changes as (
    select 'task' as kind, task.id as holder, 'total' as period, '' as starts_on, lines.account_id,
      coalesce(sum(charge), 0) as spent, 0::numeric as reserved, sum(runs)::integer as runs
    from ${from} lines join ${labels} using (run)
      cross join lateral jsonb_each_text(metadata) as pair (key, value)
      cross join lateral (values (lines.account_id), (key_id), ((${actedAsBy(sql`lines.key_id`)}))) as capped (holder)
      join ${tasks} task on task.holder = capped.holder and task.metadata_key = pair.key and task.value = pair.value
    group by task.id, lines.account_id
  )`;
}

/** `booked`: adds these changes to the balances, and returns the new balances. */
export function booked(changes: SQL): SQL {
  return sql`booked as (
    insert into ${budgetBalances} (kind, holder, period, starts_on, account_id, spent, reserved, runs)
    select kind, holder, period, starts_on, account_id, sum(spent), sum(reserved), sum(runs) from (${changes}) changes
    where account_id in (select id from ${accounts})
    group by kind, holder, period, starts_on, account_id order by ${lockOrder}
    on conflict (holder, period, starts_on) do update set
      spent = ${budgetBalances.spent} + excluded.spent, reserved = ${budgetBalances.reserved} + excluded.reserved,
      runs = ${budgetBalances.runs} + excluded.runs
    returning kind, holder, period, starts_on, account_id, spent
  )`;
}

/**
 * `told`: records the thresholds of `balances` that were reached for the first time. Read the result with
 * `selectReached`.
 */
export function told(balances: SQL): SQL {
  const shares = sql.join(
    budgetShares.map((share) => sql`(${sql.raw(String(share))})`),
    sql`, `,
  );
  return sql`reached as (
    select b.kind, b.holder, b.period, b.starts_on, b.account_id, b.spent, holds.name, limits.amount,
      limits.currency, limits.hard, share, ${budgetName(sql`limits`)} as budget
    from ${balances} b cross join lateral (
      select name, budgets from ${accounts} where b.kind = 'account' and id = b.holder
      union all
      select (select name from users where id = m.user_id), budgets from ${members} m
        where b.kind = 'member' and m.account_id = b.account_id and m.user_id = split_part(b.holder, ' ', 1)
      union all
      select name, budgets from ${apiKeys} where b.kind = 'key' and id = b.holder
      union all
      select name, budgets from ${batches} where b.kind = 'batch' and id = b.holder
    ) as holds cross join lateral jsonb_to_recordset(holds.budgets)
      as limits (amount numeric, currency text, period text, hard boolean)
    cross join (values ${shares}) as shares (share)
    where limits.period = b.period and b.spent > 0 and b.spent * 100 >= limits.amount * share
      and not exists (
        select from ${budgetThresholds} t where t.holder = b.holder and t.period = b.period
          and t.starts_on = b.starts_on and t.budget = ${budgetName(sql`limits`)} and t.share = shares.share
      )
  ), told as (
    insert into ${budgetThresholds} (holder, period, starts_on, budget, share, account_id)
    select holder, period, starts_on, budget, share, account_id from reached
    order by holder, period, starts_on, budget, share
    on conflict do nothing returning holder, period, starts_on, budget, share
  )`;
}

function budgetName(limits: SQL): SQL {
  return sql`case when ${limits}.hard then 'hard ' else 'soft ' end || trim_scale(${limits}.amount)`;
}

export const selectReached = sql`
  select r.account_id as "accountId", r.kind, r.holder, r.name, r.period, r.starts_on as "startsOn",
    trim_scale(r.amount)::text as amount, r.currency, r.hard, trim_scale(r.spent)::text as spent, r.share
  from told join reached r using (holder, period, starts_on, budget, share)
  order by r.holder, r.period, r.starts_on, r.amount, r.share`;
