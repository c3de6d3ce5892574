import type { ChatMessage, ChatUsage, ProviderRequest } from "./provider.ts";

/** Where an upstream reports no usage, tokens are estimated at this many characters each. */
const charactersPerToken = 4;

/** The usage of a chat, estimated from its messages and answers; the same for a stream as for a whole answer. */
export function estimatedUsage(
  { input }: Pick<ProviderRequest, "input">,
  said: readonly ChatMessage[],
): ChatUsage {
  const written = said.reduce((sum, message) => sum + lengthOf(message), 0);
  const prompt = tokensIn([input.messages]);
  const completion = Math.ceil(written / charactersPerToken);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

/** A part that the upstream counted, with the rest as it is estimated. What a model read is never nothing: 0 is no count. */
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

/** The tokens of what a model is to read, estimated. */
export function tokensIn(values: readonly unknown[]): number {
  const characters = values.reduce<number>((sum, value) => sum + JSON.stringify(value ?? "").length, 0);
  return Math.ceil(characters / charactersPerToken);
}

/** All that a model wrote: its thoughts and calls count as its text does. */
function lengthOf({ content, refusal, reasoning_content: thoughts, tool_calls: calls }: ChatMessage): number {
  const texts = [content, refusal, thoughts].reduce<number>((sum, text) => sum + (text?.length ?? 0), 0);
  return texts + (calls ? JSON.stringify(calls).length : 0);
}
