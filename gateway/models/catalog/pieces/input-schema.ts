import type { JsonSchema } from "#contract/catalog.ts";

/**
 * An input schema: `model` must be the entry's id, then the fields in the order a form shows them. Keys that are not
 * listed stay allowed, as in JSON Schema.
 */
export function inputSchema(
  modelId: string,
  required: readonly string[],
  properties: Record<string, JsonSchema>,
): JsonSchema {
  return {
    type: "object",
    required: ["model", ...required],
    properties: { model: modelField(modelId), ...properties },
  };
}

function modelField(modelId: string): JsonSchema {
  return { type: "string", const: modelId, title: "Model", description: "The identifier of this entry." };
}
