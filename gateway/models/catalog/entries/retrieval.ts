import { regionNames } from "#contract/catalog.ts";
import { kindTemplates } from "#contract/catalog-constants.ts";
import type { Entry } from "../entry.ts";
import { embeddingsOutput, inputSchema, rankingOutput, ungated } from "./pieces.ts";

const embeddingsId = kindTemplates.embeddings;

/** The same limit as OpenAI. */
const maxTexts = 2_048;

const text = { type: "string", minLength: 1 };

const tokens = { type: "array", items: { type: "integer", minimum: 0 }, minItems: 1, maxItems: 100_000 };

/** The specification has no embedding model. This is the template from which operators make one. */
export const embeddings: Entry = {
  id: embeddingsId,
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
      input_schema: inputSchema(embeddingsId, ["input"], {
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
      example: {
        model: embeddingsId,
        input: ["The harbour freezes in winter.", "Ships stay out when there is ice."],
      },
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

const rerankId = kindTemplates.rerank;

/** The maximum that Cohere recommends. */
const maxDocuments = 1_000;

/** The specification has no reranking model. This is the template from which operators make one. */
export const rerank: Entry = {
  id: rerankId,
  modality: "text",
  regions: regionNames,
  released_at: "2026-11-23",
  latest_release_at: "2026-11-23",
  safety_requirements: ungated,
  operations: [
    {
      api_type: "rerank",
      engine: "rerank",
      billing_unit: "operation",
      execution_mode: "sync",
      schema_version: 1,
      input_schema: inputSchema(rerankId, ["query", "documents"], {
        query: {
          ...text,
          maxLength: 100_000,
          title: "Question",
          description: "What the texts are to answer.",
        },
        documents: {
          type: "array",
          items: {
            anyOf: [text, { type: "object", required: ["text"], properties: { text } }],
          },
          minItems: 1,
          maxItems: maxDocuments,
          title: "Texts",
          description: "The texts to put in order.",
        },
        top_n: {
          type: "integer",
          minimum: 1,
          title: "Best",
          description: "How many of the best are answered; all without it.",
        },
        return_documents: {
          type: "boolean",
          title: "With texts",
          description: "Answer each text beside its score.",
        },
      }),
      output_schema: rankingOutput,
      limits: { maxDocuments: maxDocuments, maxRequestBytes: 4_000_000 },
      example: {
        model: rerankId,
        query: "When does the harbour freeze?",
        documents: ["The ferry leaves at noon.", "In January the harbour freezes over."],
      },
      internal: {
        accepts: { max_tokens_per_doc: { type: "integer", minimum: 1 }, priority: { type: "integer" } },
      },
    },
  ],
};
