import { type SQL, sql } from "drizzle-orm";
import { timeOfId, ulidOf } from "#contract/ids.ts";
import type { Queries } from "#gateway/database/database.ts";
import { rowGroups } from "#gateway/database/row-groups.ts";
import { accounts, budgetReservations, usageDaily, usageLines } from "#gateway/database/schema.ts";
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
  await queries.execute(sql`
    with given as (${lineGroups.select(rowsOf(runs))}
      where account_id in (select ${accounts.id} from ${accounts})
    ), added as (
      insert into ${usageLines} (${lineGroups.columns})
      select * from given order by run, kind
      ${onConflict} returning run, quantity, account_id, day, model, unit, key_id, user_id
    )${reserved.length > 0 ? released : sql``}
    insert into ${usageDaily} (account_id, day, model, unit, key_id, quantity, requests)
    select account_id, day, model, unit, coalesce(key_id, user_id, ''), sum(quantity), count(distinct run)
    from added group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (account_id, day, model, unit, key_id) do update set
      quantity = ${usageDaily.quantity} + excluded.quantity, requests = ${usageDaily.requests} + excluded.requests`);
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
