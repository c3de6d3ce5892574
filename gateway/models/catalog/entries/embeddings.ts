import { regionNames } from "#contract/catalog.ts";
import { kindTemplates } from "#contract/catalog-constants.ts";
import type { Entry } from "../entry.ts";
import { embeddingsOutput } from "../pieces/outputs.ts";
import { inputSchema, ungated } from "../pieces/pieces.ts";

const id = kindTemplates.embeddings;
/** The same limit as OpenAI. */
const maxTexts = 2_048;
const text = { type: "string", minLength: 1 };
const tokens = { type: "array", items: { type: "integer", minimum: 0 }, minItems: 1, maxItems: 100_000 };

/** Not part of the specification: the template for own embedding models. */
export const embeddings: Entry = {
  id,
  modality: "text",
  regions: regionNames,
  released_at: "2026-11-23",
  latest_release_at: "2026-11-23",
  safety_requirements: ungated,
  operations: [
    {
      api_type: "embeddings",
      engine: "embeddings",
      billing_unit: "token",
      execution_mode: "sync",
      schema_version: 1,
      input_schema: inputSchema(id, ["input"], {
        input: {
          title: "Text",
          description: "A text, or several; each gets a vector.",
          anyOf: [
            { ...text, title: "One text" },
            { type: "array", items: text, minItems: 1, maxItems: maxTexts, title: "Several texts" },
            { ...tokens, title: "Tokens" },
            {
              type: "array",
              items: tokens,
              minItems: 1,
              maxItems: maxTexts,
              title: "Several lists of tokens",
            },
          ],
        },
        dimensions: {
          type: "integer",
          minimum: 1,
          maximum: 16_384,
          title: "Dimensions",
          description: "The length of each vector; the model chooses without it.",
        },
        encoding_format: {
          type: "string",
          enum: ["float", "base64"],
          title: "Encoding",
          description: "Numbers, or the bytes of 32-bit numbers as base64.",
        },
      }),
      output_schema: embeddingsOutput,
      limits: { maxTexts: maxTexts, maxRequestBytes: 4_000_000 },
      example: { model: id, input: ["The harbour freezes in winter.", "Ships stay out when there is ice."] },
      internal: {
        accepts: {
          user: { type: "string" },
          input_type: { type: "string" },
          truncate: { type: "string" },
          task: { type: "string" },
        },
      },
    },
  ],
};
