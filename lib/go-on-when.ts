import type { GoOnReason } from "#contract/alias-constants.ts";
import type { RouteReason } from "#contract/operator/constants.ts";

/** The reasons for trying another model or route, as labels of checkboxes. "It" is the model or route. */
export const reasonLabels: Record<GoOnReason | RouteReason, string> = {
  busy: "It is busy (429)",
  down: "It cannot be reached",
  too_long: "The input is too long for it",
  budget: "The budget for it is used up",
  failed: "It fails before it answers",
  slow: "It is silent",
};

/** In the order of a sentence, the longest reason last. */
const reasonTexts: Record<GoOnReason | RouteReason, string> = {
  busy: "busy",
  down: "down",
  failed: "failing",
  slow: "silent",
  budget: "over budget",
  too_long: "too small for the input",
};

/** `is busy, down or over budget`, for at least one reason. */
export function describeReasons(reasons: readonly (GoOnReason | RouteReason)[]): string {
  const texts = Object.entries(reasonTexts).flatMap(([reason, text]) =>
    reasons.some((each) => each === reason) ? [text] : [],
  );
  const last = texts.pop() ?? "";
  return `is ${texts.length > 0 ? `${texts.join(", ")} or ${last}` : last}`;
}
