import { rowSweep } from "#gateway/platform/database/row-sweep.ts";
import { abandonedSeconds } from "./limits.ts";

/** Claims of processes that died while they made a preview, if nobody looked again. */
export const abandonedPreviewSweep = rowSweep({
  kind: "abandoned_previews",
  table: "previews",
  dueAt: "claimed_until",
  afterSeconds: abandonedSeconds,
});
