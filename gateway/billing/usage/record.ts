import { timeOfId, ulidOf } from "#contract/ids.ts";
import type { Metadata } from "#contract/metadata.ts";
import { decimalText } from "#contract/money/decimal.ts";
import {
  booked,
  chargeChanges,
  freed,
  freedChanges,
  type Reached,
  selectReached,
  taskChanges,
  told,
} from "#gateway/billing/budgets/book.ts";
import type { Priced, PricedLine } from "#gateway/billing/prices/price-lines.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { executePrepared } from "#gateway/platform/database/prepared.ts";
import {
  accounts,
  budgetReservations,
  promptCacheDays,
  usageByMetadata,
  usageDaily,
  usageLines,
  usageSums,
} from "#gateway/platform/database/schema.ts";
import { rowGroups, unlessThere } from "#gateway/platform/database/write-rows.ts";
import { dayOf } from "../budgets/state.ts";
import { extraUnits, failedUnit, type SettledRun } from "./lines.ts";

/** The columns of a line, most of which are equal in thousands of lines. */
const lineGroups = rowGroups(
  {
    kind: "text",
    run_prefix: "text",
    unit: "text",
    account_id: "text",
    key_id: "text",
    user_id: "text",
    model: "text",
    provider: "text",
    region: "text",
    day: "text",
    batch_id: "text",
    price_id: "text",
    component: "integer",
    selling_id: "text",
    selling_component: "integer",
    upstream_key: "text",
  },
  {
    run: "text",
    quantity: "numeric",
    cost: "numeric",
    charge: "numeric",
    saved_cost: "numeric",
    saved_charge: "numeric",
  },
  // True for the one line of a run that adds the run to the number of runs.
  { is_first: "boolean" },
);

const dayMs = 86_400_000;

interface RunEnds {
  reserved?: readonly string[];
  reservedMoney?: readonly string[];
  /** True if none of the lines exists yet; the statement fails if one does. */
  areNew?: boolean;
}

/**
 * Writes the lines of runs and adds them to their days, in one statement: an existing line adds nothing, so a
 * write whose answer was lost can be repeated. A run counts on the day of its admission. Usage of a deleted
 * account is dropped. `reserved` and `reservedMoney` list the runs whose reservations end with this. The cost
 * of the runs is added to the budget balances; in that case call it in a transaction, and report the
 * thresholds that were reached.
 */
export async function recordUsage(
  queries: Queries,
  runs: readonly SettledRun[],
  { reserved = [], reservedMoney = [], areNew = false }: RunEnds = {},
): Promise<Reached[]> {
  if (runs.length === 0 && reserved.length === 0 && reservedMoney.length === 0) return [];
  const released = sql`, released as (
      delete from ${budgetReservations} where run_id in (select json_array_elements_text(${JSON.stringify(reserved)}::json))
    )`;
  const labels = runs.flatMap(({ runId, metadata }) => (metadata ? { run: ulidOf(runId), metadata } : []));
  const isMoney = reservedMoney.length > 0 || isPriced(runs);
  const given = rowsOf(runs);
  const { rows } = await executePrepared(
    queries,
    sql`
    with ${areNew && labels.length === 0 ? insertedNew(given) : inserted(given)}, summed_amounts as (
      insert into ${usageSums} (account_id, day, model, kind, provider, region, key_id, price_id, selling_id, batch_id,
        unit, quantity, runs, cost, charge)
      select account_id, day, model, kind, provider, region, coalesce(key_id, user_id, ''), coalesce(price_id, ''),
        coalesce(selling_id, ''), coalesce(batch_id, ''), min(unit), sum(quantity), sum(runs), sum(cost), sum(charge)
      from counted group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
      on conflict (account_id, day, model, kind, provider, region, key_id, price_id, selling_id, batch_id) do update set
        quantity = usage_sums.quantity + excluded.quantity, runs = usage_sums.runs + excluded.runs,
        cost = ${together("usage_sums", "cost")}, charge = ${together("usage_sums", "charge")}
    )${runs.some(readsTokens) ? cached : sql``}${reserved.length > 0 ? released : sql``}${labels.length > 0 ? labelled(labels) : sql``}${isMoney ? sql`${money(reservedMoney, labels.length > 0)}, daily as (${daily}) ${selectReached}` : daily}`,
  );
  return isMoney ? (rows as unknown as Reached[]) : [];
}

type GivenLines = ReturnType<typeof rowsOf>;

const existing = sql`account_id in (select ${accounts.id} from ${accounts})`;

/**
 * Each run is counted at one line that is in the run's billing unit, so that the sums of each unit also
 * contain the number of its runs.
 */
const isExtra = sql.raw(`unit in (${extraUnits.map((unit) => `'${unit}'`).join(", ")})`);

/** A failed try does not count as a run. */
const isFailedTry = sql.raw(`unit = '${failedUnit}'`);

/** Inserts lines and counts the new ones, line by line. */
function inserted(lines: GivenLines): SQL {
  return sql`given as (${lineGroups.select(lines)} where ${existing}
    ), added as (
      insert into ${usageLines} (${lineGroups.columns}) select * from given order by run, kind
      ${unlessThere} returning run, kind, quantity, account_id, day, model, provider, region, unit, key_id, user_id,
        batch_id, price_id, selling_id, cost, charge, upstream_key, saved_cost, saved_charge
    ), counted as (
      select *, (kind = first_value(kind) over (partition by run order by ${isExtra}, kind) and not ${isFailedTry})::integer
        as runs from added
    )`;
}

/**
 * Like `inserted`, for lines that are certainly new: they are counted in the groups in which they were sent,
 * which takes half the time.
 */
function insertedNew(lines: GivenLines): SQL {
  const sum = (column: string) => sql.raw(`(select sum(one) from unnest(${column}) as one) as ${column}`);
  return sql`given as (select * from ${lineGroups.groups(lines)} where ${existing}
    ), added as (
      insert into ${usageLines} (${lineGroups.columns}) ${lineGroups.rowsOf(sql`given`)} order by run, kind
    ), counted as (
      select account_id, day, model, kind, provider, region, unit, key_id, user_id, batch_id, price_id, selling_id,
        upstream_key, ${sum("quantity")}, ${sum("cost")}, ${sum("charge")}, ${sum("saved_cost")}, ${sum("saved_charge")}, case when is_first then cardinality(run) else 0 end as runs
      from given
    )`;
}

/** The kinds of a run's input tokens. */
const inputKinds = [
  "input_token",
  "cached_input_token",
  "cache_write_token",
  "cache_write_1h_token",
  "audio_input_token",
];

function readsTokens({ lines }: SettledRun): boolean {
  return lines.some(({ kind }) => inputKinds.includes(kind));
}

/**
 * Adds runs that read tokens to the days of the providers' caches. All of a run's lines are added up, because
 * any of them may be the one that counts the run.
 */
const cached = sql`, cached as (
      insert into ${promptCacheDays} (account_id, day, model, provider, upstream_key, key_id, input_tokens,
        cached_tokens, runs, cost_not_priced, charge_not_priced, saved_cost, saved_charge)
      select account_id, day, model, provider, coalesce(upstream_key, ''), coalesce(key_id, user_id, ''),
        coalesce(sum(quantity) filter (where kind in (${sql.raw(inputKinds.map((kind) => `'${kind}'`).join(", "))})), 0),
        coalesce(sum(quantity) filter (where kind = 'cached_input_token'), 0), sum(runs),
        coalesce(sum(runs) filter (where cost is null), 0), coalesce(sum(runs) filter (where charge is null), 0),
        sum(coalesce(saved_cost, cost * 0)), sum(coalesce(saved_charge, charge * 0))
      from counted where unit = 'token' group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
      on conflict (account_id, day, model, provider, upstream_key, key_id) do update set
        input_tokens = prompt_cache_days.input_tokens + excluded.input_tokens,
        cached_tokens = prompt_cache_days.cached_tokens + excluded.cached_tokens,
        runs = prompt_cache_days.runs + excluded.runs,
        cost_not_priced = prompt_cache_days.cost_not_priced + excluded.cost_not_priced,
        charge_not_priced = prompt_cache_days.charge_not_priced + excluded.charge_not_priced,
        saved_cost = ${together("prompt_cache_days", "saved_cost")},
        saved_charge = ${together("prompt_cache_days", "saved_charge")}
    )`;

/**
 * Adds the lines to their days. It is the last of the expressions, so that rows are always locked in the same
 * order.
 */
const daily = sql`
    insert into ${usageDaily} (account_id, day, model, unit, key_id, quantity, requests)
    select account_id, day, model, unit, coalesce(key_id, user_id, ''), sum(quantity), sum(runs)
    from counted where not ${isFailedTry} group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (account_id, day, model, unit, key_id) do update set
      quantity = ${usageDaily.quantity} + excluded.quantity, requests = ${usageDaily.requests} + excluded.requests`;

/** Whether any of the runs costs something. */
export function isPriced(runs: readonly SettledRun[]): boolean {
  return runs.some(({ priced: { charge } }) => charge !== null && charge.amount !== 0n);
}

/**
 * Ends reservations and adds the charges of new lines to the balances, in one change per balance. Only runs
 * with metadata can belong to tasks.
 */
function money(reserved: readonly string[], hasLabels: boolean): SQL {
  const runIds = sql`select json_array_elements_text(${JSON.stringify(reserved)}::json)`;
  const ofTasks = hasLabels ? sql`, ${taskChanges(sql`counted`, sql`said`)}` : sql``;
  const changes = sql`select * from freed_changes union all select * from charge_changes${hasLabels ? sql` union all select * from task_changes` : sql``}`;
  return sql`, ${freed(runIds)}, ${freedChanges}, ${chargeChanges(sql`counted`)}${ofTasks}, ${booked(changes)}, ${told(sql`booked`)}`;
}

/** Values of a key with their own sums on a day; further values share one sum. */
const maxValues = 1_000;

/**
 * Adds the lines of runs with metadata to the sums by metadata key, for the keys that each account has
 * chosen.
 */
function labelled(labels: readonly { run: string; metadata: Metadata }[]): SQL {
  return sql`, said as (
      select * from json_to_recordset(${JSON.stringify(labels)}::json) as said (run text, metadata jsonb)
    ), valued as (
      select counted.account_id, day, key, metadata ->> key as value, model, unit,
        sum(quantity) as quantity, sum(runs) as requests, sum(cost) as cost, sum(charge) as charge
      from counted join said using (run) join ${accounts} on ${accounts.id} = counted.account_id
        cross join unnest(${accounts.usageKeys}) as key
      where metadata ->> key <> '' and not ${isFailedTry} group by 1, 2, 3, 4, 5, 6
    ), known as (
      select account_id, day, key, array(
        select distinct value from ${usageByMetadata} kept
        where kept.account_id = asked.account_id and kept.day = asked.day and kept.key = asked.key and value <> ''
      ) as values from (select distinct account_id, day, key from valued) asked
    ), ranked as (
      select valued.*, value = any(values) as is_known, cardinality(values) as known,
        dense_rank() over (partition by account_id, day, key, value = any(values) order by value) as nth
      from valued join known using (account_id, day, key)
    ), summed as (
      insert into ${usageByMetadata} (account_id, day, key, value, model, unit, quantity, requests, cost, charge)
      select account_id, day, key, case when is_known or known + nth <= ${maxValues} then value else '' end,
        model, unit, sum(quantity), sum(requests), sum(cost), sum(charge)
      from ranked group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
      on conflict (account_id, day, key, value, model, unit) do update set
        quantity = usage_by_metadata.quantity + excluded.quantity,
        requests = usage_by_metadata.requests + excluded.requests,
        cost = ${together("usage_by_metadata", "cost")}, charge = ${together("usage_by_metadata", "charge")}
    )`;
}

/** Adds two sums of amounts; null if neither has a price. */
function together(table: string, amount: "cost" | "charge" | "saved_cost" | "saved_charge"): SQL {
  return sql.raw(`coalesce(${table}.${amount} + excluded.${amount}, ${table}.${amount}, excluded.${amount})`);
}

function* rowsOf(runs: readonly SettledRun[]) {
  let day = { number: Number.NaN, name: "" };
  for (const {
    runId,
    lines,
    accountId,
    keyId,
    userId,
    model,
    provider,
    region,
    batchId,
    upstreamKey = null,
    priced,
  } of runs) {
    const run = ulidOf(runId);
    const admittedAtMs = timeOfId(runId);
    const number = Math.floor(admittedAtMs / dayMs);
    if (number !== day.number) day = { number, name: dayOf(admittedAtMs) };
    let first = lines[0]?.kind ?? "";
    for (const { kind, isExtra: extra } of lines) if (kind < first && !extra) first = kind;
    for (const [index, { kind, unit, quantity }] of lines.entries()) {
      const amounts = amountsOf(priced, index);
      // Every field is named, because spreading objects for thousands of lines would take as long as the rest
      // of the work.
      yield {
        kind,
        run_prefix: runId.slice(0, -run.length - 1),
        unit,
        account_id: accountId,
        key_id: keyId,
        user_id: userId,
        model,
        provider,
        region,
        day: day.name,
        batch_id: batchId,
        price_id: amounts.price_id,
        component: amounts.component,
        selling_id: amounts.selling_id,
        selling_component: amounts.selling_component,
        upstream_key: upstreamKey,
        run,
        quantity,
        cost: amounts.cost,
        charge: amounts.charge,
        saved_cost: amounts.saved_cost,
        saved_charge: amounts.saved_charge,
        is_first: kind === first && unit !== failedUnit,
      };
    }
  }
}

/** The cost of a line, and the price versions behind it. */
function amountsOf({ cost, charge, markupId, reason }: Priced, index: number) {
  if (reason === "sandbox" || reason === "nothing_billed") return freeLine;
  const costLine = cost?.lines[index];
  const chargeLine = charge?.lines[index];
  if (!costLine && !chargeLine) return unpricedLine;
  const isOwn = chargeLine !== undefined && charge !== cost && markupId === null;
  return {
    price_id: costLine?.priceId ?? null,
    component: costLine?.component ?? null,
    selling_id: isOwn ? chargeLine.priceId : markupId,
    selling_component: isOwn ? chargeLine.component : null,
    cost: costLine ? decimalText(costLine.amount) : null,
    charge: chargeLine ? decimalText(chargeLine.amount) : null,
    saved_cost: savedText(costLine),
    saved_charge: savedText(chargeLine),
  };
}

function savedText(line: PricedLine | undefined): string | null {
  return line?.saved == null ? null : decimalText(line.saved);
}

const unversioned = {
  ...{ price_id: null, component: null, selling_id: null, selling_component: null },
  ...{ saved_cost: null, saved_charge: null },
};
const unpricedLine = { ...unversioned, cost: null, charge: null };
const freeLine = { ...unversioned, cost: "0", charge: "0" };
