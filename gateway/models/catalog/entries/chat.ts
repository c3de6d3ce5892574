import type { Entry } from "../entry.ts";
import { messages } from "./messages.ts";
import { chatExtras, chatOutput, inputSchema, regionField, ungated } from "./pieces.ts";

const chat1Id = "svc/chat-1";

const regions = ["us-oregon", "us-virginia"] as const;

export const chat1: Entry = {
  id: chat1Id,
  modality: "text",
  regions,
  released_at: "2026-03-10",
  latest_release_at: "2026-09-22",
  context_window_tokens: 500_000,
  max_gateway_request_bytes: 4_000_000,
  max_input_tokens: 190_000,
  max_output_tokens: 32_768,
  safety_requirements: ungated,
  operations: [
    {
      api_type: "chat-completions",
      engine: "chat",
      billing_unit: "token",
      execution_mode: "sync-or-stream",
      schema_version: 1,
      input_schema: inputSchema(chat1Id, ["messages"], {
        messages,
        stream: { type: "boolean", title: "Stream", description: "Send the answer while it is written." },
        max_tokens: {
          type: "integer",
          minimum: 1,
          maximum: 32_768,
          title: "Max tokens",
          description: "Longest answer, in tokens.",
        },
        temperature: {
          type: "number",
          minimum: 0,
          maximum: 2,
          title: "Temperature",
          description: "Higher is more varied.",
        },
        reasoning_effort: {
          type: "string",
          enum: ["low", "medium", "high"],
          title: "Reasoning effort",
          description: "How long the model thinks first.",
        },
        region: regionField(regions),
      }),
      output_schema: chatOutput,
      limits: {
        maxInputTokens: 190_000,
        maxOutputTokens: 32_768,
        maxRequestBytes: 4_000_000,
        contextWindowTokens: 500_000,
        providerLongContextThresholdTokens: 200_000,
      },
      example: {
        model: chat1Id,
        messages: [
          { role: "system", content: "You answer in one short paragraph." },
          { role: "user", content: "Why is the sky blue?" },
        ],
        max_tokens: 300,
        temperature: 0.7,
      },
      internal: { accepts: chatExtras },
    },
  ],
};

const chat2Id = "svc/chat-2";

export const chat2: Entry = {
  id: chat2Id,
  modality: "text",
  regions: ["cn-beijing", "cn-hong-kong", "eu-frankfurt", "jp-tokyo", "sg-singapore", "us-virginia"],
  released_regions: ["sg-singapore", "cn-beijing", "us-virginia", "eu-frankfurt", "jp-tokyo"],
  released_at: "2026-01-27",
  latest_release_at: "2026-08-18",
  context_window_tokens: 262_144,
  max_gateway_request_bytes: 4_000_000,
  max_output_tokens: 32_768,
  safety_requirements: ungated,
  operations: [
    {
      api_type: "chat-completions",
      engine: "chat",
      billing_unit: "token",
      execution_mode: "sync-or-stream",
      schema_version: 1,
      input_schema: inputSchema(chat2Id, ["messages"], { messages }),
      output_schema: chatOutput,
      limits: { maxOutputTokens: 32_768, maxRequestBytes: 4_000_000, contextWindowTokens: 262_144 },
      example: {
        model: chat2Id,
        messages: [{ role: "user", content: "Name three rivers that cross more than one country." }],
        max_tokens: 200,
      },
      internal: { accepts: chatExtras },
    },
  ],
};
