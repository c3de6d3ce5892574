"use server";

import type { ConfigurationChange } from "#contract/operator-changes.ts";
import type { Acting } from "@/lib/gateway/result";
import { undo } from "@/lib/server/gateway/operator";

/** Brings back what a change of the configuration replaced. */
export async function undoChange(changeId: string): Acting<ConfigurationChange> {
  return { answer: undo(changeId) };
}
