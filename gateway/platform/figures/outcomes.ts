import { upstreamFailureCodes } from "#gateway/platform/core/provider-error.ts";
import type { Database } from "#gateway/platform/database/database.ts";
import { everyAccount, startOf } from "./read.ts";
import type { FigureKind, FigureSet } from "./sums.ts";

/** Outcomes of runs or tries. Errors of the caller and canceled runs count as neither. */
export interface Outcome {
  good: number;
  /** Failures of the gateway or an upstream. */
  faults: number;
}

export interface OutcomeRow extends Outcome {
  /** The start of the day (UTC), in ms since the epoch. */
  at: number;
  model: string;
  /** Empty if the set has no regions. */
  region: string;
}

/**
 * The outcomes since a time, over all accounts, by day, model and region. Does not read durations, which are
 * most of a figure's data.
 */
export async function readOutcomes(
  { pool }: Pick<Database, "pool">,
  set: FigureSet,
  kinds: readonly FigureKind[],
  fromMs: number,
): Promise<OutcomeRow[]> {
  const { rows } = await pool.query<[string, string, string, string, string]>({
    rowMode: "array",
    // Reads both tables in one statement, because an addition is then either in the additions or in the
    // figures, never in both.
    text: `
      select extract(epoch from date_bin('1 day', at, 'epoch'))::text, model, region,
        coalesce(sum(runs) filter (where status between 200 and 399 and not code = any($5)), 0)::text,
        coalesce(sum(runs) filter (where status >= 500 or code = any($5)), 0)::text
      from (
        select f.at, s.model, s.region, s.status, s.code, f.runs
        from figure_series s join figures f on f.series_id = s.id
        where s.account_id = $1 and s.set = $2 and s.kind = any($3) and f.step = 'day' and f.at >= $4
        union all
        select at, model, region, status, code, runs from figure_additions
        where set = $2 and kind = any($3) and at >= $4
      ) as counted
      group by 1, model, region`,
    values: [everyAccount, set, kinds, new Date(startOf("day", fromMs)), upstreamFailureCodes],
  });
  return rows.map(([at, model, region, good, faults]) => ({
    at: Number(at) * 1000,
    model,
    region,
    good: Number(good),
    faults: Number(faults),
  }));
}
