import type { JsonSchema, RegionName } from "#contract/catalog.ts";
import type { Entry, EntryOperation } from "../entry.ts";
import { speechAudio } from "../example-media.ts";
import {
  beijing,
  beijingAndSingapore,
  inputSchema,
  mediaField,
  pageIndex,
  pageSize,
  regionField,
  speechOutput,
  targetModel,
  transcriptionOutput,
  ungated,
  voiceAction,
  voiceId,
  voicesOutput,
} from "./pieces.ts";

const text: JsonSchema = {
  type: "string",
  minLength: 1,
  title: "Text",
  description: "What should be spoken.",
};

interface Speech {
  modelId: string;
  /** Whether `voice` must be given. */
  voiceRequired: boolean;
  voiceDescription: string;
  example: { input: string; voice: string };
}

/** TTS-A (an enrolled voice is required) and TTS-B (a preset voice may be named). */
function speech(options: Speech): EntryOperation {
  const voice: JsonSchema = {
    type: "string",
    ...(options.voiceRequired && { minLength: 1 }),
    title: "Voice",
    description: options.voiceDescription,
  };
  return {
    api_type: "text-to-speech",
    engine: options.voiceRequired ? "speech-enrolled" : "speech-preset",
    billing_unit: "character",
    execution_mode: "sync",
    schema_version: 1,
    input_schema: inputSchema(options.modelId, options.voiceRequired ? ["input", "voice"] : ["input"], {
      input: text,
      voice,
    }),
    output_schema: speechOutput,
    limits: { maxInputCharacters: 600 },
    example: { model: options.modelId, ...options.example },
    // An enrolled voice exists only in its own region.
    ...(options.voiceRequired && { internal: { regionBound: true } }),
  };
}

export const speechEntries: readonly Entry[] = [
  {
    id: "svc/tts-a-1",
    modality: "audio",
    regions: beijing,
    released_at: "2026-02-03",
    latest_release_at: "2026-06-16",
    safety_requirements: ungated,
    operations: [
      speech({
        modelId: "svc/tts-a-1",
        voiceRequired: true,
        voiceDescription: "The identifier of an enrolled voice.",
        example: { input: "Welcome. This is an enrolled voice speaking.", voice: "sandbox-voice-ada" },
      }),
    ],
  },
  {
    id: "svc/tts-a-2",
    modality: "audio",
    regions: beijingAndSingapore,
    released_at: "2026-04-14",
    latest_release_at: "2026-07-21",
    safety_requirements: ungated,
    operations: [
      speech({
        modelId: "svc/tts-a-2",
        voiceRequired: true,
        voiceDescription: "The identifier of an enrolled voice.",
        example: { input: "The train to the coast leaves at nine.", voice: "sandbox-voice-kai" },
      }),
    ],
  },
  {
    id: "svc/tts-b-1",
    modality: "audio",
    regions: beijingAndSingapore,
    released_at: "2026-02-24",
    latest_release_at: "2026-05-19",
    safety_requirements: ungated,
    operations: [
      speech({
        modelId: "svc/tts-b-1",
        voiceRequired: false,
        voiceDescription: "A preset voice by name, for example Cherry.",
        example: { input: "Good morning. The forecast is clear and mild.", voice: "Cherry" },
      }),
    ],
  },
  {
    id: "svc/tts-b-2",
    modality: "audio",
    regions: beijingAndSingapore,
    released_at: "2026-05-26",
    latest_release_at: "2026-09-01",
    safety_requirements: ungated,
    operations: [
      speech({
        modelId: "svc/tts-b-2",
        voiceRequired: false,
        voiceDescription: "A preset voice by name, for example Ethan.",
        example: { input: "Your parcel will arrive on Thursday afternoon.", voice: "Ethan" },
      }),
    ],
  },
];

interface Transcription {
  id: string;
  regions: readonly RegionName[];
  released_at: string;
  latest_release_at: string;
}

/** ASR: speech to text, three entries. */
function transcription(options: Transcription): Entry {
  return {
    ...options,
    modality: "audio",
    safety_requirements: ungated,
    operations: [
      {
        api_type: "audio-transcription",
        engine: "transcription",
        billing_unit: "second",
        execution_mode: "sync",
        schema_version: 1,
        input_schema: inputSchema(options.id, ["audio"], {
          audio: mediaField("audio", "Audio", "Speech, up to 10 MiB: an upload, an https URL or a data URI."),
        }),
        output_schema: transcriptionOutput,
        limits: { maxInputBytes: 10_485_760 },
        example: { model: options.id, audio: speechAudio },
      },
    ],
  };
}

export const transcriptionEntries: readonly Entry[] = [
  transcription({
    id: "svc/asr-1",
    regions: beijingAndSingapore,
    released_at: "2026-01-20",
    latest_release_at: "2026-04-28",
  }),
  transcription({
    id: "svc/asr-2",
    regions: beijingAndSingapore,
    released_at: "2026-04-07",
    latest_release_at: "2026-07-14",
  }),
  transcription({
    id: "svc/asr-3",
    regions: [...beijingAndSingapore, "us-virginia"],
    released_at: "2026-06-30",
    latest_release_at: "2026-10-13",
  }),
];

const voice1Id = "svc/voice-1";

export const voice1: Entry = {
  id: voice1Id,
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
      input_schema: inputSchema(voice1Id, ["action"], {
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
        model: voice1Id,
        action: "create",
        audio: speechAudio,
        preferred_name: "evening",
        target_model: "svc/tts-a-2",
      },
      internal: { regionBound: true },
    },
  ],
};

const voice2Id = "svc/voice-2";

export const voice2: Entry = {
  id: voice2Id,
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
      input_schema: inputSchema(voice2Id, ["action"], {
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
        model: voice2Id,
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
