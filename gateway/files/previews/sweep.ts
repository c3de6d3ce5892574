import { rowSweep } from "#gateway/platform/database/row-sweep.ts";
import { abandonedSeconds } from "./limits.ts";

/** Removes claims of processes that died while making a preview, if nobody viewed the file again. */
export const abandonedPreviewSweep = rowSweep({
  kind: "abandoned_previews",
  table: "previews",
  dueAt: "claimed_until",
  afterSeconds: abandonedSeconds,
});
