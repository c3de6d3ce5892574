import { byName } from "#contract/by-name.ts";

/** Parameters that shape the answer of a model and not the sandbox's, each with the values that ask for nothing. */
const withoutEffect = byName<readonly unknown[]>({
  top_p: [1],
  presence_penalty: [0],
  frequency_penalty: [0],
  logit_bias: [],
  logprobs: [false],
  top_logprobs: [0],
  top_k: [],
  min_p: [0],
  repetition_penalty: [1],
  parallel_tool_calls: [true],
  verbosity: ["medium"],
  service_tier: ["auto", "default"],
  thinking: [],
  prediction: [],
});

/** What a chat asks for that the sandbox does not do: it runs no model. */
export function ignoredOfChat(input: Record<string, unknown>): string[] {
  return Object.entries(input).flatMap(([name, value]) => {
    const neutral = withoutEffect[name];
    return neutral && value !== null && !neutral.includes(value) ? [name] : [];
  });
}
