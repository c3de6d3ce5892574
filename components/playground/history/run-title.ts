import type { Run } from "@/lib/browser/runs/run";
import { inputTitle } from "@/lib/schema-form/input-title";

/** The subject of a run, or a note that its input was not stored. */
export function runTitle({ body }: Run): string {
  return inputTitle(body) ?? (Object.keys(body).length > 0 ? "Run" : "Run with inline files");
}
