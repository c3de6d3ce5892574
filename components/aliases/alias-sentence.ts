import type { GoOnReason } from "#contract/alias-constants.ts";
import type { Alias } from "#contract/aliases.ts";
import { listText } from "@/lib/words/list-text";
import type { Key, Words } from "@/messages/words";

/** In the order of a sentence, the longest reason last. */
const reasonNames: Record<GoOnReason, Key<"aliases">> = {
  busy: "isBusy",
  down: "isDown",
  failed: "isFailing",
  slow: "isSilent",
  budget: "isOverBudget",
  too_long: "isTooSmall",
};

/** One sentence that describes how a request for the alias is run. */
export function aliasSentence(
  t: Words<"aliases">,
  {
    name,
    models,
    go_on_when: goOnWhen,
    continue_streams: continues,
  }: Pick<Alias, "name" | "models" | "go_on_when" | "continue_streams">,
): string {
  const [first, ...others] = models;
  if (first === undefined) return t("chooseAtLeastOneModel");
  const who = { named: name ? "yes" : "no", name, first };
  if (others.length === 0) return t("runsOnFirst", who);
  if (goOnWhen.length === 0) return t(continues ? "runsOnFirstContinued" : "runsOnFirstOnly", who);
  const reasons = Object.entries(reasonNames).flatMap(([reason, label]) =>
    goOnWhen.some((each) => each === reason) ? [t.text(label)] : [],
  );
  return t("runsOnNextIf", {
    ...who,
    reasons: listText(t.language, reasons, "disjunction"),
    count: others.length,
    others: listText(t.language, others, "plain"),
    continued: continues ? "yes" : "no",
  });
}
