import type { AnswerFacts } from "#contract/conversations.ts";
import { parseDecimal, sumOfDecimals } from "#contract/money/decimal.ts";
import { formatCount, formatNumber } from "../format.ts";
import { formatMoney } from "../money.ts";

/** `1,204 tokens in, 87 out`. */
export function tokenWords(read: number, written: number): string {
  return `${formatCount(read, "token")} in, ${formatNumber(written)} out`;
}

/**
 * The tokens and the cost of these answers in words. Answers without a price are counted and never add 0; answers that
 * were stopped or interrupted have no known cost.
 */
export function sumOfAnswers(answers: readonly AnswerFacts[]): string[] {
  const sum = (count: (facts: AnswerFacts) => number | undefined) =>
    answers.reduce((total, facts) => total + (count(facts) ?? 0), 0);
  const paid = answers.filter(({ sandbox }) => !sandbox);
  const amounts = new Map<string, string[]>();
  let unknown = 0;
  let notPriced = 0;
  for (const { cost = "", ended } of paid) {
    const [amount = "", currency = ""] = cost.split(" ");
    if (parseDecimal(amount) !== null) amounts.set(currency, [...(amounts.get(currency) ?? []), amount]);
    else if (ended) unknown += 1;
    else notPriced += 1;
  }
  return [
    tokenWords(
      sum(({ input_tokens: tokens }) => tokens),
      sum(({ output_tokens: tokens }) => tokens),
    ),
    ...Array.from(amounts, ([currency, all]) => formatMoney(sumOfDecimals(all), currency)),
    ...(notPriced > 0 ? [`${notPriced} not priced`] : []),
    ...(unknown > 0 ? [`${unknown} incomplete, of unknown cost`] : []),
    ...(paid.length === 0 ? ["the sandbox costs nothing"] : []),
  ];
}
