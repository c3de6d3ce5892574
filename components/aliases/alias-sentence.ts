import type { Alias } from "#contract/aliases.ts";
import { describeReasons } from "@/lib/go-on-when";

/** One sentence that describes how a request for the alias is run. */
export function aliasSentence({
  name,
  models,
  go_on_when,
  continue_streams,
}: Pick<Alias, "name" | "models" | "go_on_when" | "continue_streams">): string {
  const [first, ...others] = models;
  if (first === undefined) return "Choose at least one model.";
  const starts = `Requests for ${name || "this name"} run on ${first}.`;
  if (others.length === 0) return starts;
  const continued = continue_streams ? " If an answer breaks off later, one of them continues it." : "";
  if (go_on_when.length === 0 && !continue_streams) return `${starts} No other model is tried.`;
  if (go_on_when.length === 0) return `${starts}${continued}`;
  const next = others.length === 1 ? others[0] : `the next of ${others.join(", ")}`;
  return `${starts} If ${first} ${describeReasons(go_on_when)}, ${next} answers instead.${continued}`;
}
