import type { RegionName } from "#contract/catalog.ts";
import type { Entry } from "../entry.ts";
import { speechAudio } from "../example-media.ts";
import { inputSchema } from "./input-schema.ts";
import { mediaField } from "./media-fields.ts";
import { transcriptionOutput } from "./outputs.ts";
import { ungated } from "./safety.ts";

interface Transcription {
  id: string;
  regions: readonly RegionName[];
  released_at: string;
  latest_release_at: string;
}

/** ASR: speech to text, three entries. */
export function transcription(options: Transcription): Entry {
  return {
    ...options,
    modality: "audio",
    safety_requirements: ungated,
    operations: [
      {
        api_type: "audio-transcription",
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
