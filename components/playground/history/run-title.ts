import type { Run } from "@/lib/browser/runs/run";
import { inputTitle } from "@/lib/schema-form/input-title";

/** What a run was about, or that nothing of its input is left to tell. */
export function runTitle({ body }: Run): string {
  return inputTitle(body) ?? (Object.keys(body).length > 0 ? "Run" : "Run with inline files");
}
