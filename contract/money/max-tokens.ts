import type { PriceKind } from "./constants.ts";

/** The kinds that may price input tokens and output tokens. The most expensive kind gives the maximum. */
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
 * The most tokens that a request may read and generate. A run reserves their cost from budgets, and the
 * console shows it before the run. Null when neither the request nor its model sets a limit. `bytes` is the
 * size of the request as JSON: a token has at least one byte. Null for a request with media, because the
 * model decides how many tokens media has.
 */
export function maxTokens(
  limits: Readonly<Record<string, unknown>>,
  body: Readonly<Record<string, unknown>>,
  bytes: number | null,
): MaxTokens {
  const context = countIn(limits.contextWindowTokens);
  const limit = countIn(limits.maxInputTokens) ?? context;
  const read = bytes === null ? limit : Math.min(bytes, limit ?? bytes);
  // Embeddings and rankings generate no tokens.
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
