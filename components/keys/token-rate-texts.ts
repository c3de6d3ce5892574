import type { TokenRates } from "#contract/accounts/token-rates.ts";
import { formatNumber } from "@/lib/format";

/** The limits of a key, member or account as texts. */
export function tokenRateTexts({
  tokens_per_minute: all,
  model_tokens_per_minute: models,
}: TokenRates): string[] {
  const ofModels = Object.entries(models ?? {}).map(
    ([id, most]) => `${id}: ${formatNumber(most)} tokens/min`,
  );
  return [...(all === null ? [] : [`${formatNumber(all)} tokens/min`]), ...ofModels];
}
