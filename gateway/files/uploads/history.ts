import { agedRowSweep } from "#gateway/platform/database/row-sweep.ts";

/** Removes only uploads without bytes. */
export const uploadHistorySweep = agedRowSweep({
  kind: "upload_history",
  table: "uploads",
  idKind: "upload",
  at: "created_at",
  days: ({ history }) => history.days,
  mayGo: "status in ('expired', 'rejected') and storage_key is null",
});
