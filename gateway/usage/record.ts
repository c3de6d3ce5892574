import { sql } from "drizzle-orm";
import { timeOfId, ulidOf } from "#contract/ids.ts";
import type { Queries } from "#gateway/database/database.ts";
import { accounts, budgetReservations, usageDaily, usageLines } from "#gateway/database/schema.ts";
import type { UsageLine } from "./lines.ts";
import { dayOf } from "./month.ts";

const dayMs = 86_400_000;

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
 * a write whose answer was lost can be repeated. A run counts on the day of its admission. Usage of a deleted account
 * is dropped. `reserved` names the runs whose reservation ends with this.
 */
export async function recordUsage(
  queries: Queries,
  runs: readonly RunUsage[],
  reserved: readonly string[] = [],
): Promise<void> {
  if (runs.length === 0 && reserved.length === 0) return;
  const released = sql`, released as (
      delete from ${budgetReservations} where run_id in (select json_array_elements_text(${JSON.stringify(reserved)}::json))
    )`;
  await queries.execute(sql`
    with given as (
      select * from json_to_recordset(${JSON.stringify(groupsOf(runs))}::json) as grouped (kind text, run_prefix text,
        unit text, account_id text, key_id text, user_id text, model text, provider text, region text, day text,
        runs text[], quantities numeric[])
      cross join unnest(runs, quantities) as line (run, quantity)
      where account_id in (select ${accounts.id} from ${accounts})
    ), added as (
      insert into ${usageLines} (run, kind, run_prefix, unit, quantity, account_id, key_id, user_id, model, provider,
        region, day)
      select run, kind, run_prefix, unit, quantity, account_id, key_id, user_id, model, provider, region, day
      from given order by run, kind
      on conflict do nothing returning run, quantity, account_id, day, model, unit, key_id
    )${reserved.length > 0 ? released : sql``}
    insert into ${usageDaily} (account_id, day, model, unit, key_id, quantity, requests)
    select account_id, day, model, unit, coalesce(key_id, ''), sum(quantity), count(distinct run)
    from added group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (account_id, day, model, unit, key_id) do update set
      quantity = ${usageDaily.quantity} + excluded.quantity, requests = ${usageDaily.requests} + excluded.requests`);
}

/** Lines that differ only in run and quantity, as the table names its columns. */
interface LineGroup {
  runs: string[];
  quantities: number[];
  [column: string]: unknown;
}

/**
 * A batch has thousands of lines and few groups: building and parsing a row for each line took longer than writing it.
 */
function groupsOf(runs: readonly RunUsage[]): LineGroup[] {
  const groups = new Map<string, LineGroup>();
  for (const { runId, lines, accountId, keyId, userId, model, provider, region } of runs) {
    const run = ulidOf(runId);
    const prefix = runId.slice(0, -run.length - 1);
    const day = Math.floor(timeOfId(runId) / dayMs);
    const common = `${day} ${prefix} ${accountId} ${keyId} ${userId} ${model} ${region} ${provider}`;
    for (const { kind, unit, quantity } of lines) {
      const id = `${kind} ${common}`;
      let group = groups.get(id);
      if (!group) {
        const who = { account_id: accountId, key_id: keyId, user_id: userId };
        const what = { kind, run_prefix: prefix, unit, model, provider, region, day: dayOf(day * dayMs) };
        group = { ...who, ...what, runs: [], quantities: [] };
        groups.set(id, group);
      }
      group.runs.push(run);
      group.quantities.push(quantity);
    }
  }
  return [...groups.values()];
}
