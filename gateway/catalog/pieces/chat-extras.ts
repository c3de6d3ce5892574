import type { JsonSchema } from "#contract/catalog.ts";

/**
 * OpenAI's chat parameters that the published chat schemas do not list. Unmodified clients send them, so they are
 * accepted and forwarded.
 */
export const chatExtras: Record<string, JsonSchema> = {
  stream: { type: "boolean" },
  stream_options: { type: "object" },
  max_tokens: { type: "integer", minimum: 1 },
  max_completion_tokens: { type: "integer", minimum: 1 },
  temperature: { type: "number", minimum: 0, maximum: 2 },
  top_p: { type: "number", minimum: 0, maximum: 1 },
  reasoning_effort: { type: "string" },
  stop: { type: ["string", "array", "null"] },
  seed: { type: "integer" },
  presence_penalty: { type: "number", minimum: -2, maximum: 2 },
  frequency_penalty: { type: "number", minimum: -2, maximum: 2 },
  tools: { type: "array", items: { type: "object" } },
  tool_choice: { type: ["string", "object"] },
  parallel_tool_calls: { type: "boolean" },
  response_format: { type: "object" },
};
