import type { ChatChoice, ChatUsage, SyncResult } from "#gateway/models/providers/provider.ts";
import type { ModelAnswer } from "#gateway/platform/telemetry/telemetry.ts";

/** The part of a sync run's result that traces record. */
export function tracedAnswer(result: SyncResult): ModelAnswer {
  if (result.kind === "chat") return tracedChat(result.completion);
  if (result.kind === "embeddings") return { tokens: { input: result.usage.quantity, output: 0 } };
  return {};
}

/** The part of a chat's answer that traces record. */
export function tracedChat({ choices, usage }: { choices: ChatChoice[]; usage: ChatUsage }): ModelAnswer {
  return {
    tokens: { input: usage.prompt_tokens, output: usage.total_tokens - usage.prompt_tokens },
    finishReasons: choices.map(({ finish_reason: reason }) => reason ?? "unknown"),
    messages: () => choices.map(({ message }) => message),
  };
}
