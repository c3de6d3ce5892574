import type { Alias } from "#contract/aliases.ts";
import { goOnWords } from "@/lib/go-on-when";

/** What happens to a request that names it, in a sentence. */
export function aliasSentence({
  name,
  models,
  go_on_when,
}: Pick<Alias, "name" | "models" | "go_on_when">): string {
  const [first, ...others] = models;
  if (first === undefined) return "Choose at least one model.";
  const starts = `Requests for ${name || "this name"} run on ${first}.`;
  if (others.length === 0) return starts;
  if (go_on_when.length === 0) return `${starts} Nothing else is tried.`;
  const rest = others.join(", then ");
  return `${starts} If it ${goOnWords(go_on_when)}, before it has sent any content, they go on to ${rest}.`;
}
