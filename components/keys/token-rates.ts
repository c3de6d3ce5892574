import { keyRates, tokenRateModels } from "#contract/accounts/constants.ts";
import type { TokenRates } from "#contract/accounts/token-rates.ts";
import type { Words } from "@/messages/words";
import { limitProblem } from "./budget-values.ts";

/** Tokens per minute as typed. An empty text means no limit. */
export interface TokenRateValues {
  tokens_per_minute: string;
  /** One per line: a model and its number. */
  model_tokens_per_minute: string;
}

export const tokenRateNames = ["tokens_per_minute", "model_tokens_per_minute"] as const;

const bounds = keyRates.tokens_per_minute;

/** The form's values for the limits. */
export function tokenRateValues(rates: TokenRates): TokenRateValues {
  return {
    tokens_per_minute: String(rates.tokens_per_minute ?? ""),
    model_tokens_per_minute: Object.entries(rates.model_tokens_per_minute ?? {})
      .map((line) => line.join(" "))
      .join("\n"),
  };
}

/** The limits for the form's values; null without one. */
export function tokenRateBody(values: TokenRateValues): TokenRates {
  const all = values.tokens_per_minute.trim();
  const models = linesOf(values.model_tokens_per_minute).map(
    ([id = "", most]) => [id, Number(most)] as const,
  );
  return {
    tokens_per_minute: all === "" ? null : Number(all),
    model_tokens_per_minute: models.length > 0 ? Object.fromEntries(models) : null,
  };
}

/** The problem with the number for all models. Undefined if it is valid. */
export function tokensProblem(t: Words<"amounts">, text: string): string | undefined {
  return limitProblem(t, text, bounds);
}

/** The problem with the numbers by model. Undefined if they are valid. */
export function modelTokensProblem(t: Words<"amounts">, text: string): string | undefined {
  const lines = linesOf(text);
  if (lines.length > tokenRateModels.most) return t("maxModels", { count: String(tokenRateModels.most) });
  const wrong = lines.find((words) => words.length !== 2 || limitProblem(t, String(words[1]), bounds));
  if (wrong)
    return t("notModelAndNumber", {
      line: wrong.join(" "),
      minimum: String(bounds.minimum),
      maximum: bounds.maximum,
    });
  const ids = lines.map(([id]) => id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  return twice && t("modelTwice", { model: twice });
}

function linesOf(text: string): string[][] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").map((line) => line.split(/\s+/));
}
