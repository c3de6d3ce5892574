import type { TokenRateInputs, TokenRates } from "#contract/accounts/token-rates.ts";
import type { TokenLimit } from "#gateway/platform/core/actor.ts";

/*
 * The tokens per minute of keys, members and accounts: how they are stored, shown, and read by the limits.
 */

/** The columns of a key, a member or an account; null: no limit. */
export interface TokenRateColumns {
  tokensPerMinute: number | null;
  modelTokensPerMinute: Record<string, number> | null;
}

export function tokenRatesView({ tokensPerMinute, modelTokensPerMinute }: TokenRateColumns): TokenRates {
  return { tokens_per_minute: tokensPerMinute, model_tokens_per_minute: modelTokensPerMinute };
}

/** The limits that a request names, and only those. */
export function tokenRatesIn({
  tokens_per_minute: all,
  model_tokens_per_minute: ofModels,
}: TokenRateInputs): Partial<TokenRateColumns> {
  return {
    ...(all !== undefined && { tokensPerMinute: all }),
    ...(ofModels !== undefined && { modelTokensPerMinute: ofModels }),
  };
}

const none: readonly TokenLimit[] = [];

/** The limits of a caller: those of its key, its member and its account. */
export function tokenLimitsOf(
  ...holders: (Pick<TokenLimit, "of" | "subject"> & { rates: TokenRateColumns | null })[]
): readonly TokenLimit[] {
  const limits = holders.flatMap(({ rates, ...whose }) => [
    ...(rates?.tokensPerMinute ? [{ ...whose, model: null, perMinute: rates.tokensPerMinute }] : []),
    ...Object.entries(rates?.modelTokensPerMinute ?? {}).map(([model, perMinute]) => ({
      ...whose,
      model,
      perMinute,
    })),
  ]);
  return limits.length > 0 ? limits : none;
}

/** The most tokens per minute of one model, or of all together; infinite without a limit. */
export function mostTokens(
  { tokensPerMinute, modelTokensPerMinute }: TokenRateColumns,
  model: string | null,
): number {
  const all = tokensPerMinute ?? Number.POSITIVE_INFINITY;
  return model === null ? all : Math.min(all, modelTokensPerMinute?.[model] ?? Number.POSITIVE_INFINITY);
}
