import type { JsonSchema } from "#contract/catalog.ts";

const text: JsonSchema = { type: "string" };

function outputObject(properties: Record<string, JsonSchema>, required: string[]): JsonSchema {
  return { type: "object", required, properties };
}

export const speechOutput: JsonSchema = { type: "string", contentMediaType: "audio/wav" };

/** The answer of every async operation: the prediction to poll. */
export const predictionOutput = outputObject(
  { id: text, model: text, status: text, poll_url: { type: "string", format: "uri" }, svc_region: text },
  ["id", "model", "status", "poll_url", "svc_region"],
);

export const transcriptionOutput = outputObject({ id: text, model: text, text, svc_region: text }, [
  "id",
  "model",
  "text",
  "svc_region",
]);

export const imagesOutput = outputObject(
  { id: text, model: text, data: { type: "array", items: { type: "object" } }, svc_region: text },
  ["id", "model", "data", "svc_region"],
);

export const voicesOutput = outputObject(
  { action: text, data: { type: "object" }, model: text, svc_region: text },
  ["action", "data", "model", "svc_region"],
);

export const embeddingsOutput = outputObject(
  {
    id: text,
    object: text,
    model: text,
    data: { type: "array", items: { type: "object" } },
    usage: { type: "object" },
    svc_region: text,
  },
  ["object", "model", "data", "usage", "svc_region"],
);

export const rankingOutput = outputObject(
  { id: text, model: text, results: { type: "array", items: { type: "object" } }, svc_region: text },
  ["id", "model", "results", "svc_region"],
);

export const chatOutput = outputObject(
  { id: text, model: text, choices: { type: "array", items: { type: "object" } }, usage: { type: "object" } },
  ["id", "model", "choices", "usage"],
);
