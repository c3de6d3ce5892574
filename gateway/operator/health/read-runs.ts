import { sql } from "drizzle-orm";
import { firstIdAt } from "#contract/ids.ts";
import { upstreamFailureCodes } from "#gateway/core/upstream-failures.ts";
import type { Queries } from "#gateway/database/database.ts";
import { sandboxName } from "#gateway/providers/file/check.ts";

/** So many requests and predictions are looked at, the newest ones. */
const maxRows = 50_000;

export interface RunSums {
  provider: string;
  model: string;
  region: string;
  runs: number;
  errors: number;
  p50: number | null;
  p95: number | null;
}

/** How requests and predictions ended at each provider since then; whether there were more than are looked at. */
export async function readRuns(
  queries: Queries,
  sinceMs: number,
): Promise<{ sums: RunSums[]; sampled: boolean }> {
  const codes = sql.join(
    upstreamFailureCodes.map((code) => sql`${code}`),
    sql`, `,
  );
  const { rows } = await queries.execute<Row>(sql`
    with asked as (
      select provider, model, region, coalesce(code in (${codes}), false) as failed, duration_ms as ms
      from request_logs where id >= ${firstIdAt("request", sinceMs)} order by id desc limit ${maxRows}
    ), accepted as (
      select provider, model, svc_region as region, status,
        coalesce(status = 'failed' and error ->> 'code' in (${codes}), false) as failed,
        extract(epoch from completed_at - started_at) * 1000 as ms
      from predictions where id >= ${firstIdAt("prediction", sinceMs)} order by id desc limit ${maxRows}
    ), runs as (
      select provider, model, region, failed, ms from asked
      union all
      select provider, model, region, failed, ms from accepted where status in ('succeeded', 'failed')
    )
    select provider, model, region, count(*)::int as runs, count(*) filter (where failed)::int as errors,
      percentile_cont(0.5) within group (order by ms) filter (where not failed) as p50,
      percentile_cont(0.95) within group (order by ms) filter (where not failed) as p95,
      (select greatest((select count(*) from asked), (select count(*) from accepted)))::int as looked_at
    from runs where provider <> ${sandboxName} and model is not null and region is not null
    group by provider, model, region`);
  const sums = rows.map(({ looked_at: _, ...row }) => row);
  return { sums, sampled: (rows[0]?.looked_at ?? 0) >= maxRows };
}

type Row = RunSums & { looked_at: number } & Record<string, unknown>;
