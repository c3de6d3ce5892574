import { agedRowSweep } from "#gateway/database/row-sweep.ts";

/** The sums of each day stay. */
export const usageLineSweep = agedRowSweep({
  kind: "usage_lines",
  table: "usage_lines",
  idKind: "generation",
  ulidColumn: "run",
  at: "day::timestamptz",
  days: ({ history }) => history.days,
});
