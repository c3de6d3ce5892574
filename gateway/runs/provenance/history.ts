import { agedRowSweep } from "#gateway/platform/database/row-sweep.ts";

/** Hashes of removed files are kept as long as the audit log, those of kept files as long as the file. */
export const outputHistorySweep = agedRowSweep({
  kind: "outputs",
  table: "outputs",
  idKind: "output",
  at: "created_at",
  days: ({ history }) => history.auditDays,
  mayGo: "key is null and not exists (select from kept_outputs where output_id = outputs.id)",
});
