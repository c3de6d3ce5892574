import type { Entry } from "../entry.ts";
import { messages } from "../pieces/messages.ts";
import { chatOutput } from "../pieces/outputs.ts";
import { chatExtras, inputSchema, ungated } from "../pieces/pieces.ts";

const id = "svc/chat-2";

export const chat2: Entry = {
  id,
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
      input_schema: inputSchema(id, ["messages"], { messages }),
      output_schema: chatOutput,
      limits: { maxOutputTokens: 32_768, maxRequestBytes: 4_000_000, contextWindowTokens: 262_144 },
      example: {
        model: id,
        messages: [{ role: "user", content: "Name three rivers that cross more than one country." }],
        max_tokens: 200,
      },
      internal: { accepts: chatExtras },
    },
  ],
};
