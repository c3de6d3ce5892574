import type { ChatChoice, ChatUsage, SyncResult } from "#gateway/models/providers/provider.ts";
import type { ModelAnswer } from "#gateway/platform/telemetry/telemetry.ts";

/** What a trace says of the result of a sync run. */
export function tracedAnswer(result: SyncResult): ModelAnswer {
  if (result.kind === "chat") return tracedChat(result.completion);
  if (result.kind === "embeddings") return { tokens: { input: result.usage.quantity, output: 0 } };
  return {};
}

/** What a trace says of an answered chat. */
export function tracedChat({ choices, usage }: { choices: ChatChoice[]; usage: ChatUsage }): ModelAnswer {
  return {
    tokens: { input: usage.prompt_tokens, output: usage.total_tokens - usage.prompt_tokens },
    finishReasons: choices.map(({ finish_reason: reason }) => reason ?? "unknown"),
    messages: () => choices.map(({ message }) => message),
  };
}
