import { agedRowSweep } from "#gateway/platform/database/row-sweep.ts";

/** Removes only predictions that have ended and have no input or output files any more. */
export const predictionHistorySweep = agedRowSweep({
  kind: "prediction_history",
  table: "predictions",
  idKind: "prediction",
  at: "created_at",
  days: ({ history }) => history.days,
  mayGo: "data_removed_at is not null and status not in ('starting', 'processing')",
});
