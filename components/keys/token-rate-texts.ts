import type { TokenRates } from "#contract/accounts/token-rates.ts";
import type { Words } from "@/messages/words";

/** The limits of a key, member or account as texts. */
export function tokenRateTexts(
  { tokens_per_minute: all, model_tokens_per_minute: models }: TokenRates,
  t: Words<"keys">,
): string[] {
  const ofModels = Object.entries(models ?? {}).map(([model, count]) => t("modelRate", { model, count }));
  return [...(all === null ? [] : [t("tokenRate", { count: all })]), ...ofModels];
}
