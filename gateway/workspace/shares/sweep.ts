import { rowSweep } from "#gateway/platform/database/row-sweep.ts";

/** Links that have ended, with the prompts that they showed. */
export const shareSweep = rowSweep({ kind: "shares", table: "shares", dueAt: "expires_at" });
