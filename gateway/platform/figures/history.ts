import type { BaseContext } from "#gateway/context.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import { deletion, isFullBatch } from "#gateway/platform/database/row-sweep.ts";

/** Days for which figures per minute are kept. */
export const minuteDays = 2;

type Step = "minute" | "hour" | "day";

function agedFigureSweep(step: Step, daysOf: (context: BaseContext) => number | null): Sweep {
  const old = deletion(
    "figures",
    `step = '${step}' and at < now() - make_interval(days => $1) order by step, at`,
  );
  // A series is deleted with its last figure.
  const sql = `with gone as (${old} returning series_id),
    ended as (
      delete from figure_series s where id in (select series_id from gone) and not exists (
        select from figures f where f.series_id = s.id
          and (f.step <> '${step}' or f.at >= now() - make_interval(days => $1)))
    )
    select count(*)::int as removed from gone`;
  return {
    kind: `figures_${step}`,
    async run(context) {
      const days = daysOf(context);
      if (days === null) return false;
      const { rows } = await context.database.pool.query<{ removed: number }>(sql, [days]);
      return isFullBatch({ rowCount: rows[0]?.removed ?? 0 });
    },
    oldestDue(context) {
      const days = daysOf(context);
      return days === null
        ? null
        : `select min(at) + interval '${days} days' from figures where step = '${step}'`;
    },
  };
}

export const figureSweeps: readonly Sweep[] = [
  agedFigureSweep("minute", () => minuteDays),
  agedFigureSweep("hour", ({ history }) => history.days),
  agedFigureSweep("day", ({ history }) => history.auditDays),
];
