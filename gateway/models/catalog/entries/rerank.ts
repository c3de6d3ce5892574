import { regionNames } from "#contract/catalog.ts";
import { kindTemplates } from "#contract/catalog-constants.ts";
import type { Entry } from "../entry.ts";
import { rankingOutput } from "../pieces/outputs.ts";
import { inputSchema, ungated } from "../pieces/pieces.ts";

const id = kindTemplates.rerank;
/** The maximum that Cohere recommends. */
const maxDocuments = 1_000;
const text = { type: "string", minLength: 1 };

/** Not part of the specification: the template for own reranking models. */
export const rerank: Entry = {
  id,
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
      input_schema: inputSchema(id, ["query", "documents"], {
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
        model: id,
        query: "When does the harbour freeze?",
        documents: ["The ferry leaves at noon.", "In January the harbour freezes over."],
      },
      internal: {
        accepts: { max_tokens_per_doc: { type: "integer", minimum: 1 }, priority: { type: "integer" } },
      },
    },
  ],
};
