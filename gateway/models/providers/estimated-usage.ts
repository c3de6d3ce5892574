import type { ChatMessage, ChatUsage, ProviderRequest } from "./provider.ts";

/** If an upstream reports no usage, this many characters count as one token. */
const charactersPerToken = 4;

/**
 * Estimates a chat's usage from its messages and answers. A streamed answer gets the same estimate as a
 * complete one.
 */
export function estimatedUsage(
  { input }: Pick<ProviderRequest, "input">,
  said: readonly ChatMessage[],
): ChatUsage {
  const written = said.reduce((sum, message) => sum + lengthOf(message), 0);
  const prompt = tokensIn([input.messages]);
  const completion = Math.ceil(written / charactersPerToken);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

/**
 * Combines the upstream's counts with estimates for missing ones. A model always reads something, so a count
 * of 0 is treated as missing.
 */
export function withEstimate(counted: ChatUsage, estimated: ChatUsage): ChatUsage {
  const prompt = counted.prompt_tokens || estimated.prompt_tokens;
  const completion = Math.max(counted.completion_tokens, estimated.completion_tokens);
  return {
    ...counted,
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  };
}

/** The estimated tokens of a model's input. */
export function tokensIn(values: readonly unknown[]): number {
  const characters = values.reduce<number>((sum, value) => sum + JSON.stringify(value ?? "").length, 0);
  return Math.ceil(characters / charactersPerToken);
}

/** The length of all output of a model: thoughts and calls count like text. */
function lengthOf({ content, refusal, reasoning_content: thoughts, tool_calls: calls }: ChatMessage): number {
  const texts = [content, refusal, thoughts].reduce<number>((sum, text) => sum + (text?.length ?? 0), 0);
  return texts + (calls ? JSON.stringify(calls).length : 0);
}
