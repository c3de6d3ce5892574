import { sql } from "drizzle-orm";
import { timeOfId, ulidOf } from "#contract/ids.ts";
import type { Queries } from "#gateway/database/database.ts";
import { accounts, budgetReservations, usageDaily, usageLines } from "#gateway/database/schema.ts";
import type { UsageLine } from "./lines.ts";
import { dayOf } from "./month.ts";

/** What one run used, and for whom. */
export interface RunUsage {
  /** `gen_…` or `pred_…`; the time in it is that of the run's admission. */
  runId: string;
  accountId: string;
  /** Null for a signed-in user. */
  keyId: string | null;
  /** Null for a key. */
  userId: string | null;
  model: string;
  provider: string;
  region: string;
  lines: UsageLine[];
}

/**
 * Writes the lines of runs and adds them to their days, in one statement: a line that is there already adds nothing, so
 * a write whose answer was lost can be repeated. A run counts on the day of its admission. Usage of an account that is
 * gone is dropped. `reserved` names the runs whose reservation ends with this.
 */
export async function recordUsage(
  queries: Queries,
  runs: readonly RunUsage[],
  reserved: readonly string[] = [],
): Promise<void> {
  const rows = runs.flatMap(rowsOf);
  if (rows.length === 0 && reserved.length === 0) return;
  const released = sql`, released as (
      delete from ${budgetReservations} where run_id in (select json_array_elements_text(${JSON.stringify(reserved)}::json))
    )`;
  await queries.execute(sql`
    with given as (
      select * from json_populate_recordset(null::${usageLines}, ${JSON.stringify(rows)}::json)
      where account_id in (select ${accounts.id} from ${accounts})
    ), added as (
      insert into ${usageLines} (run, kind, run_prefix, unit, quantity, account_id, key_id, user_id, model, provider,
        region, day)
      select run, kind, run_prefix, unit, quantity, account_id, key_id, user_id, model, provider, region, day
      from given order by run, kind
      on conflict do nothing returning *
    )${reserved.length > 0 ? released : sql``}
    insert into ${usageDaily} (account_id, day, model, unit, key_id, quantity, requests)
    select account_id, day, model, unit, coalesce(key_id, ''), sum(quantity), count(distinct run)
    from added group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (account_id, day, model, unit, key_id) do update set
      quantity = ${usageDaily.quantity} + excluded.quantity, requests = ${usageDaily.requests} + excluded.requests`);
}

/** As the table names its columns. */
function rowsOf({ runId, lines, accountId, keyId, userId, model, provider, region }: RunUsage): object[] {
  return lines.map(({ kind, unit, quantity }) => ({
    run: ulidOf(runId),
    kind,
    run_prefix: runId.slice(0, runId.indexOf("_")),
    unit,
    quantity,
    account_id: accountId,
    key_id: keyId,
    user_id: userId,
    model,
    provider,
    region,
    day: dayOf(timeOfId(runId)),
  }));
}
