import type { LineFacts } from "#contract/money/conditions.ts";
import type { PriceKind } from "#contract/money/constants.ts";
import type { UsageLine } from "./usage-line.ts";

/** An upstream's count in OpenAI's form, where the prompt contains what was cached and the completion what was thought. */
interface TokenCount {
  prompt_tokens: number;
  [detail: string]: unknown;
}

/**
 * The tokens of a chat, each counted at one kind: in OpenAI's form, into which the answers of all upstreams are brought,
 * cached tokens are also prompt tokens, and reasoning is also completion.
 */
export function tokenLines(total: number, count: TokenCount, serviceTier: string | undefined): UsageLine[] {
  const prompt = within(count.prompt_tokens, total);
  // Some upstreams count hidden reasoning only in the total; it was generated, so it is output.
  const output = total - prompt;
  const read = membersOf(count.prompt_tokens_details);
  // DeepSeek says it beside the details.
  const cached = within(read?.cached_tokens ?? count.prompt_cache_hit_tokens, prompt);
  const written = within(read?.cache_write_tokens ?? read?.cache_creation_tokens, prompt - cached);
  const writtenLong = within(read?.cache_write_1h_tokens, written);
  const heard = within(read?.audio_tokens, prompt - cached - written);
  const said = membersOf(count.completion_tokens_details);
  const thought = within(said?.reasoning_tokens, output);
  const spoken = within(said?.audio_tokens, output - thought);
  const facts: LineFacts = { contextTokens: prompt, serviceTier };
  const lines: UsageLine[] = [];
  const add = (priceKind: PriceKind, quantity: number) => {
    if (quantity > 0) lines.push({ kind: priceKind, unit: "token", quantity, priceKind, facts });
  };
  add("input_token", prompt - cached - written - heard);
  add("cached_input_token", cached);
  add("cache_write_token", written - writtenLong);
  add("cache_write_1h_token", writtenLong);
  add("audio_input_token", heard);
  add("output_token", output - thought - spoken);
  add("reasoning_token", thought);
  add("audio_output_token", spoken);
  return lines;
}

/** A count of an upstream as far as it can be true: a whole number from 0 to `most`. */
function within(value: unknown, most: number): number {
  return typeof value === "number" && value > 0 ? Math.min(Math.floor(value), most) : 0;
}

function membersOf(details: unknown): Record<string, unknown> | null {
  return typeof details === "object" && details !== null ? (details as Record<string, unknown>) : null;
}
