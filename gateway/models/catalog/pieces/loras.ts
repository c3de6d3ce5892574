import type { JsonSchema } from "#contract/catalog.ts";

const lora: JsonSchema = {
  type: "object",
  title: "LoRA",
  required: ["url", "scale"],
  additionalProperties: false,
  properties: {
    url: { type: "string", minLength: 1, title: "URL", description: "Where the model provider finds it." },
    scale: { type: "number", minimum: 0, maximum: 4, title: "Scale", description: "Strength, 0 to 4." },
  },
};

/** A list of at most three LoRAs. Their URLs go to the provider as text: the gateway never fetches them. */
export function loras(title: string, description: string): JsonSchema {
  return { type: "array", default: [], maxItems: 3, items: lora, title, description };
}
