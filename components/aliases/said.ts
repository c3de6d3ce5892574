import type { Alias, GoOnReason } from "#contract/aliases.ts";

export const reasonLabels: Record<GoOnReason, string> = {
  busy: "It is busy (429)",
  down: "It cannot be reached",
  too_long: "The input is too long for it",
  budget: "The budget for it is used up",
};

const reasons: Record<GoOnReason, string> = {
  busy: "is busy",
  down: "cannot be reached",
  too_long: "is too small for the input",
  budget: "is beyond the budget",
};

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
  const when = go_on_when.map((reason) => reasons[reason]);
  const last = when.pop();
  const cases = when.length > 0 ? `${when.join(", ")} or ${last}` : last;
  return `${starts} If it ${cases}, before anything has begun, they go on to ${others.join(", then ")}.`;
}
