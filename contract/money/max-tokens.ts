import type { PriceKind } from "./constants.ts";

/** At which kinds tokens that are read, and tokens that are answered, may be priced: the dearest is the most. */
export const readKinds: readonly PriceKind[] = [
  "input_token",
  "cached_input_token",
  "cache_write_token",
  "cache_write_1h_token",
  "audio_input_token",
  "token",
];
export const answeredKinds: readonly PriceKind[] = [
  "output_token",
  "reasoning_token",
  "audio_output_token",
  "token",
];

export interface MaxTokens {
  read: number | null;
  answered: number | null;
}

/**
 * The most tokens that a request may read and be answered, as a run reserves them of budgets and as the console says them
 * before it runs; null where neither the request nor its model says. `bytes` is the size of the request as JSON: a token is
 * a byte at least. Null for a request with media, whose tokens are up to the model.
 */
export function maxTokens(
  limits: Readonly<Record<string, unknown>>,
  body: Readonly<Record<string, unknown>>,
  bytes: number | null,
): MaxTokens {
  const context = countIn(limits.contextWindowTokens);
  const limit = countIn(limits.maxInputTokens) ?? context;
  const read = bytes === null ? limit : Math.min(bytes, limit ?? bytes);
  // Embeddings and rankings answer with no tokens.
  if (body.messages === undefined) return { read, answered: 0 };
  const each =
    countIn(body.max_completion_tokens) ??
    countIn(body.max_tokens) ??
    countIn(limits.maxOutputTokens) ??
    context;
  return { read, answered: each === null ? null : each * (countIn(body.n) ?? 1) };
}

function countIn(value: unknown): number | null {
  return typeof value === "number" && value > 0 ? value : null;
}
