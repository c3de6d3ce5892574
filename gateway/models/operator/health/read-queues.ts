import type { Queries } from "#gateway/platform/database/database.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";

/** More than these are not counted. */
const maxRows = 50_000;

/** Predictions that have not ended. Which provider runs one is known when it has started. */
export interface QueueSum {
  provider: string | null;
  model: string;
  apiType: string;
  region: string;
  isRunning: boolean;
  count: number;
}

export async function readQueues(queries: Queries): Promise<QueueSum[]> {
  const { rows } = await queries.execute<QueueSum & Record<string, unknown>>(sql`
    select provider, model, api_type as "apiType", svc_region as region, is_running as "isRunning", count(*)::int as count
    from (
      select case when status = 'processing' then provider end as provider, model, api_type, svc_region,
        status = 'processing' as is_running
      from predictions where status in ('starting', 'processing') limit ${maxRows}
    ) as waiting
    group by provider, model, api_type, svc_region, is_running`);
  return rows;
}
