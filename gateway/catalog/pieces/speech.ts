import type { JsonSchema } from "#contract/catalog.ts";
import type { EntryOperation } from "../entry.ts";
import { inputSchema } from "./input-schema.ts";
import { speechOutput } from "./outputs.ts";

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
export function speech(options: Speech): EntryOperation {
  const voice: JsonSchema = {
    type: "string",
    ...(options.voiceRequired && { minLength: 1 }),
    title: "Voice",
    description: options.voiceDescription,
  };
  return {
    api_type: "text-to-speech",
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
  };
}
