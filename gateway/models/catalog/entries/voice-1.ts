import type { Entry } from "../entry.ts";
import { speechAudio } from "../example-media.ts";
import { voicesOutput } from "../pieces/outputs.ts";
import {
  beijingAndSingapore,
  inputSchema,
  mediaField,
  pageIndex,
  pageSize,
  regionField,
  targetModel,
  ungated,
  voiceAction,
  voiceId,
} from "../pieces/pieces.ts";

const id = "svc/voice-1";

export const voice1: Entry = {
  id,
  modality: "audio",
  regions: beijingAndSingapore,
  released_at: "2026-02-03",
  latest_release_at: "2026-06-16",
  safety_requirements: ungated,
  operations: [
    {
      api_type: "voice-management",
      engine: "voices",
      billing_unit: "operation",
      execution_mode: "sync",
      schema_version: 1,
      input_schema: inputSchema(id, ["action"], {
        action: voiceAction,
        audio: mediaField("audio", "Audio", "A recording of the voice, for create.", 0),
        preferred_name: {
          type: "string",
          minLength: 1,
          maxLength: 16,
          title: "Preferred name",
          description: "Becomes part of the voice's identifier.",
        },
        target_model: targetModel,
        voice: voiceId,
        page_size: pageSize,
        page_index: pageIndex,
        region: regionField(beijingAndSingapore),
      }),
      output_schema: voicesOutput,
      limits: { maxInputBytes: 30_000_000 },
      example: {
        model: id,
        action: "create",
        audio: speechAudio,
        preferred_name: "evening",
        target_model: "svc/tts-a-2",
      },
      internal: { regionBound: true },
    },
  ],
};
