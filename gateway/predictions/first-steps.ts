import { sql } from "drizzle-orm";
import type { FirstSteps } from "#contract/summary.ts";
import type { Context } from "#gateway/context.ts";

/** What an account has done at least once; each answer is the first row of an index. */
export async function readFirstSteps({ database }: Context, accountId: string): Promise<FirstSteps> {
  const { rows } = await database.queries.execute<FirstSteps & Record<string, unknown>>(sql`
    select
      exists (select from predictions where account_id = ${accountId})
        or exists (select from usage_daily where account_id = ${accountId}) as ran_model,
      exists (select from api_keys where account_id = ${accountId}) as created_key,
      exists (select from api_keys where account_id = ${accountId} and last_used_at is not null) as used_key,
      exists (select from webhook_endpoints where account_id = ${accountId}) as added_endpoint,
      exists (select from webhook_endpoints where account_id = ${accountId} and last_success_at is not null)
        as received_event`);
  const [steps] = rows;
  if (!steps) throw new Error("the first steps of an account are always one row");
  return steps;
}
