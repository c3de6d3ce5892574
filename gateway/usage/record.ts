import { type SQL, sql } from "drizzle-orm";
import { timeOfId, ulidOf } from "#contract/ids.ts";
import type { Metadata } from "#contract/metadata.ts";
import type { Queries } from "#gateway/database/database.ts";
import { rowGroups } from "#gateway/database/row-groups.ts";
import {
  accounts,
  budgetReservations,
  usageByMetadata,
  usageDaily,
  usageLines,
} from "#gateway/database/schema.ts";
import { unlessThere } from "#gateway/database/write-new.ts";
import type { RunUsage } from "./lines.ts";
import { dayOf } from "./month.ts";

/** A line's columns, most of which are the same in thousands of lines. */
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
  },
  { run: "text", quantity: "numeric" },
);

/**
 * Writes the lines of runs and adds them to their days, in one statement: a line that is there already adds nothing, so
 * a write whose answer was lost can be repeated. A run counts on the day of its admission. Usage of a deleted account
 * is dropped. `reserved` names the runs whose reservation ends with this.
 */
export async function recordUsage(
  queries: Queries,
  runs: readonly RunUsage[],
  { reserved = [], onConflict = unlessThere }: { reserved?: readonly string[]; onConflict?: SQL } = {},
): Promise<void> {
  if (runs.length === 0 && reserved.length === 0) return;
  const released = sql`, released as (
      delete from ${budgetReservations} where run_id in (select json_array_elements_text(${JSON.stringify(reserved)}::json))
    )`;
  const labels = runs.flatMap(({ runId, metadata }) => (metadata ? { run: ulidOf(runId), metadata } : []));
  await queries.execute(sql`
    with given as (${lineGroups.select(rowsOf(runs))}
      where account_id in (select ${accounts.id} from ${accounts})
    ), added as (
      insert into ${usageLines} (${lineGroups.columns})
      select * from given order by run, kind
      ${onConflict} returning run, quantity, account_id, day, model, unit, key_id, user_id
    )${reserved.length > 0 ? released : sql``}${labels.length > 0 ? labelled(labels) : sql``}
    insert into ${usageDaily} (account_id, day, model, unit, key_id, quantity, requests)
    select account_id, day, model, unit, coalesce(key_id, user_id, ''), sum(quantity), count(distinct run)
    from added group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (account_id, day, model, unit, key_id) do update set
      quantity = ${usageDaily.quantity} + excluded.quantity, requests = ${usageDaily.requests} + excluded.requests`);
}

/** How many values of a key have sums of their own on a day; the others are summed together. */
const mostValues = 1_000;

/** Adds the lines of runs with metadata to the sums of the keys that their accounts have named. */
function labelled(labels: readonly { run: string; metadata: Metadata }[]): SQL {
  return sql`, said as (
      select * from json_to_recordset(${JSON.stringify(labels)}::json) as said (run text, metadata jsonb)
    ), valued as (
      select added.account_id, day, key, metadata ->> key as value, model, unit,
        sum(quantity) as quantity, count(distinct run) as requests
      from added join said using (run) join ${accounts} on ${accounts.id} = added.account_id
        cross join unnest(${accounts.usageKeys}) as key
      where metadata ->> key <> '' group by 1, 2, 3, 4, 5, 6
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
      insert into ${usageByMetadata} (account_id, day, key, value, model, unit, quantity, requests)
      select account_id, day, key, case when is_known or known + nth <= ${mostValues} then value else '' end,
        model, unit, sum(quantity), sum(requests)
      from ranked group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
      on conflict (account_id, day, key, value, model, unit) do update set
        quantity = usage_by_metadata.quantity + excluded.quantity,
        requests = usage_by_metadata.requests + excluded.requests
    )`;
}

function* rowsOf(runs: readonly RunUsage[]) {
  for (const { runId, lines, accountId, keyId, userId, model, provider, region } of runs) {
    const run = ulidOf(runId);
    const day = dayOf(timeOfId(runId));
    const who = { account_id: accountId, key_id: keyId, user_id: userId };
    const what = { run, run_prefix: runId.slice(0, -run.length - 1), model, provider, region, day };
    for (const { kind, unit, quantity } of lines) yield { kind, unit, quantity, ...who, ...what };
  }
}
