import type { AnswerFacts } from "#contract/conversations.ts";
import { parseDecimal, sumOfDecimals } from "#contract/money/decimal.ts";
import type { Words } from "@/messages/words";
import { formatMoney } from "../money.ts";

/** Stored as the cost of an answer that has no price. */
export const notPriced = "Not priced";

/** `1,204 tokens in, 87 out`. */
export function tokenWords(read: number, written: number, t: Words<"conversations">): string {
  return t("tokensInAndOut", { read, written });
}

/**
 * The tokens and the cost of these answers in words. Answers without a price are counted and never add 0; answers that
 * were stopped or interrupted have no known cost.
 */
export function sumOfAnswers(answers: readonly AnswerFacts[], t: Words<"conversations">): string[] {
  const sum = (count: (facts: AnswerFacts) => number | undefined) =>
    answers.reduce((total, facts) => total + (count(facts) ?? 0), 0);
  const paid = answers.filter(({ sandbox }) => !sandbox);
  const amounts = new Map<string, string[]>();
  let unknown = 0;
  let withoutPrice = 0;
  for (const { cost = "", ended } of paid) {
    const [amount = "", currency = ""] = cost.split(" ");
    if (parseDecimal(amount) !== null) amounts.set(currency, [...(amounts.get(currency) ?? []), amount]);
    else if (ended) unknown += 1;
    else withoutPrice += 1;
  }
  return [
    tokenWords(
      sum(({ input_tokens: tokens }) => tokens),
      sum(({ output_tokens: tokens }) => tokens),
      t,
    ),
    ...Array.from(amounts, ([currency, all]) => formatMoney(sumOfDecimals(all), currency)),
    ...(withoutPrice > 0 ? [t("countNotPriced", { count: withoutPrice })] : []),
    ...(unknown > 0 ? [t("countIncomplete", { count: unknown })] : []),
    ...(paid.length === 0 ? [t("theSandboxCostsNothing")] : []),
  ];
}
