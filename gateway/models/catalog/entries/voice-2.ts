import type { Entry } from "../entry.ts";
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

const id = "svc/voice-2";

export const voice2: Entry = {
  id,
  modality: "audio",
  regions: beijingAndSingapore,
  released_at: "2026-04-14",
  latest_release_at: "2026-08-04",
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
        url: mediaField("audio", "Recording", "A recording of the voice, for create.", 0),
        voice_prompt: {
          type: "string",
          title: "Voice prompt",
          description: "Describes a new voice, for create without a recording.",
        },
        preview_text: { type: "string", title: "Preview text", description: "Spoken by the new voice." },
        prefix: {
          type: "string",
          minLength: 1,
          maxLength: 10,
          title: "Prefix",
          description: "Start of the voice's identifier.",
        },
        target_model: targetModel,
        language_hints: {
          type: "array",
          title: "Language hints",
          description: "Languages of the recording, for example en.",
        },
        enable_preprocess: {
          type: "boolean",
          title: "Clean the recording",
          description: "Reduce noise before the voice is enrolled.",
        },
        max_prompt_audio_length: {
          type: "number",
          minimum: 3,
          maximum: 30,
          title: "Longest recording",
          description: "Seconds of the recording that are used, 3 to 30.",
        },
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
        voice_prompt: "A deep, slow and friendly narrator",
        preview_text: "Once upon a time, at the edge of the sea.",
        prefix: "narrator",
        target_model: "svc/tts-a-2",
      },
      internal: { regionBound: true },
    },
  ],
};
