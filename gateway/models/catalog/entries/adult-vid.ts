import type { JsonSchema } from "#contract/catalog.ts";
import type { Entry } from "../entry.ts";
import { predictionOutput } from "../pieces/outputs.ts";
import {
  adultOnly,
  inputSchema,
  mediaField,
  mediaList,
  prompt,
  promptExtend,
  regionField,
  resolution,
  seed,
  virginia,
} from "../pieces/pieces.ts";

interface Tier {
  id: string;
  resolutions: readonly [string, ...string[]];
  promptExtend: boolean;
  released_at: string;
  latest_release_at: string;
}

const mode: JsonSchema = {
  type: "string",
  enum: ["text-to-video", "image-to-video", "reference-to-video"],
  title: "Mode",
  description: "What the video starts from.",
};
const audio: JsonSchema = {
  type: "boolean",
  title: "Audio",
  description: "Whether the video has a sound track.",
};
const ratio: JsonSchema = {
  type: "string",
  enum: ["adaptive", "16:9", "4:3", "1:1", "3:4", "9:16"],
  title: "Aspect ratio",
  description: "Adaptive follows the first input.",
};
const smartDuration: JsonSchema = {
  type: "integer",
  anyOf: [
    { type: "integer", const: -1, title: "Smart" },
    { type: "integer", minimum: 2, maximum: 30, title: "Seconds" },
  ],
  title: "Duration",
  description: "2 to 30 seconds, or -1 to let the model choose.",
};

/** ADULT-VID-1..4: one request shape in two resolution tiers, with and without prompt extension. */
function adultVideo(tier: Tier): Entry {
  return {
    id: tier.id,
    modality: "video",
    regions: virginia,
    released_at: tier.released_at,
    latest_release_at: tier.latest_release_at,
    safety_requirements: adultOnly,
    operations: [
      {
        api_type: "video-generation",
        engine: "video",
        billing_unit: "second",
        execution_mode: "async",
        schema_version: 1,
        input_schema: inputSchema(tier.id, ["duration", "resolution", "ratio", "audio"], fields(tier)),
        output_schema: predictionOutput,
        limits: {
          maxDurationSeconds: 30,
          maxReferenceAudios: 5,
          maxReferenceImages: 10,
          maxReferenceVideos: 5,
          maxPromptCharacters: 20_000,
          supportsAudio: true,
          supportsSmartDuration: true,
          ...(tier.promptExtend && { supportsPromptExtend: true }),
        },
        example: {
          model: tier.id,
          mode: "text-to-video",
          prompt: "Waves roll onto a rocky shore under a full moon",
          duration: 2,
          resolution: tier.resolutions[0],
          ratio: "16:9",
          audio: true,
        },
      },
    ],
  };
}

function fields(tier: Tier): Record<string, JsonSchema> {
  return {
    mode,
    prompt: prompt(20_000, 0),
    duration: smartDuration,
    resolution: resolution(tier.resolutions),
    ratio,
    audio,
    first_frame: mediaField("image", "First frame"),
    last_frame: mediaField("image", "Last frame"),
    reference_images: mediaList("image", { maxItems: 10 }, "Reference images", "Up to 10."),
    reference_videos: mediaList("video", { maxItems: 5 }, "Reference videos", "Up to 5."),
    reference_audios: mediaList("audio", { maxItems: 5 }, "Reference audios", "Up to 5."),
    ...(tier.promptExtend && { prompt_extend: promptExtend(true) }),
    seed,
    region: regionField(virginia),
  };
}

export const adultVideoEntries: readonly Entry[] = [
  adultVideo({
    id: "svc/adult-vid-1",
    resolutions: ["480P", "720P", "1080P"],
    promptExtend: false,
    released_at: "2026-02-17",
    latest_release_at: "2026-05-26",
  }),
  adultVideo({
    id: "svc/adult-vid-2",
    resolutions: ["1080P", "2K", "4K"],
    promptExtend: false,
    released_at: "2026-02-17",
    latest_release_at: "2026-05-26",
  }),
  adultVideo({
    id: "svc/adult-vid-3",
    resolutions: ["480P", "720P", "1080P"],
    promptExtend: true,
    released_at: "2026-07-28",
    latest_release_at: "2026-10-27",
  }),
  adultVideo({
    id: "svc/adult-vid-4",
    resolutions: ["1080P", "2K", "4K"],
    promptExtend: true,
    released_at: "2026-07-28",
    latest_release_at: "2026-10-27",
  }),
];
