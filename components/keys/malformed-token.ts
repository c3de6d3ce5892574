import { type MalformedToken, malformedTokens } from "#contract/key-rule-constants.ts";
import type { Words } from "@/messages/words";

/** Why no rule can take a token. A reason of a later release is shown as the gateway says it. */
export function malformedText(sentence: string, t: Words<"keys">): string {
  const reasons = Object.keys(malformedTokens) as MalformedToken[];
  const reason = reasons.find((each) => malformedTokens[each] === sentence);
  return reason ? t(`malformed.${reason}`) : sentence;
}
