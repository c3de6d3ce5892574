import type { GoOnReason } from "#contract/aliases.ts";
import type { RouteReason } from "#contract/operator/constants.ts";

/** The reasons for trying another model or route, as labels of choices. */
export const reasonLabels: Record<GoOnReason | RouteReason, string> = {
  busy: "It is busy (429)",
  down: "It cannot be reached",
  too_long: "The input is too long for it",
  budget: "The budget for it is used up",
  failed: "It fails before it answers",
  slow: "It is silent",
};

const reasonTexts: Record<GoOnReason | RouteReason, string> = {
  busy: "is busy",
  down: "is down",
  too_long: "is too small for the input",
  budget: "is over budget",
  failed: "fails",
  slow: "is silent",
};

/** `is busy, cannot be reached or answers 500`; at least one reason. */
export function describeReasons(reasons: readonly (GoOnReason | RouteReason)[]): string {
  const when = reasons.map((reason) => reasonTexts[reason]);
  const last = when.pop() ?? "";
  return when.length > 0 ? `${when.join(", ")} or ${last}` : last;
}
