import type { RegionName } from "#contract/catalog.ts";
import type { Entry } from "../entry.ts";
import { speechAudio } from "../example-media.ts";
import { inputSchema } from "../pieces/input-schema.ts";
import { mediaField } from "../pieces/media-fields.ts";
import { transcriptionOutput } from "../pieces/outputs.ts";
import { beijingAndSingapore } from "../pieces/regions.ts";
import { ungated } from "../pieces/safety.ts";

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
