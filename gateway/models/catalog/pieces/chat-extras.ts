import type { JsonSchema } from "#contract/catalog.ts";

/** Clients write null for "not set". */
const optional = (type: string, bounds: JsonSchema = {}): JsonSchema => ({ type: [type, "null"], ...bounds });

/**
 * OpenAI's chat parameters that the published chat schemas do not list. Unmodified clients send them, so they are
 * accepted and forwarded.
 */
export const chatExtras: Record<string, JsonSchema> = {
  stream: optional("boolean"),
  stream_options: optional("object"),
  max_tokens: optional("integer", { minimum: 1 }),
  max_completion_tokens: optional("integer", { minimum: 1 }),
  temperature: optional("number", { minimum: 0, maximum: 2 }),
  top_p: optional("number", { minimum: 0, maximum: 1 }),
  reasoning_effort: optional("string"),
  stop: { type: ["string", "array", "null"] },
  seed: optional("integer"),
  n: optional("integer", { minimum: 1 }),
  presence_penalty: optional("number", { minimum: -2, maximum: 2 }),
  frequency_penalty: optional("number", { minimum: -2, maximum: 2 }),
  logit_bias: optional("object"),
  tools: optional("array", { items: { type: "object" } }),
  tool_choice: { type: ["string", "object", "null"] },
  parallel_tool_calls: optional("boolean"),
  response_format: optional("object"),
  logprobs: optional("boolean"),
  top_logprobs: optional("integer", { minimum: 0, maximum: 20 }),
  top_k: optional("integer", { minimum: 0 }),
  min_p: optional("number", { minimum: 0, maximum: 1 }),
  repetition_penalty: optional("number"),
  verbosity: optional("string"),
  service_tier: optional("string"),
  thinking: optional("object"),
  prediction: optional("object"),
  prompt_cache_key: optional("string"),
  prompt_cache_retention: optional("string"),
  safety_identifier: optional("string"),
  store: optional("boolean"),
  user: optional("string"),
};
