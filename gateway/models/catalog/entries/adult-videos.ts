import type { JsonSchema } from "#contract/catalog.ts";
import type { Entry } from "../entry.ts";
import { duskImage, landscapeImage, landscapeVideo } from "../example-media.ts";
import {
  adultEntry,
  adultOnly,
  duration,
  durationChoice,
  inputSchema,
  loras,
  mediaField,
  mediaList,
  predictionOutput,
  prompt,
  promptExtend,
  regionField,
  resolution,
  seed,
  virginia,
} from "./pieces.ts";

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

const imageToVideo1Id = "svc/adult-i2v-1";

export const adultI2v1 = adultEntry({
  id: imageToVideo1Id,
  modality: "video",
  released_at: "2026-03-03",
  latest_release_at: "2026-06-23",
  api_type: "video-generation",
  engine: "video",
  input_schema: inputSchema(imageToVideo1Id, ["prompt", "image"], {
    prompt: prompt(5000),
    image: mediaField("image", "Image", "The picture that starts to move."),
    negative_prompt: {
      type: "string",
      maxLength: 2000,
      title: "Negative prompt",
      description: "What should not appear.",
    },
    duration: duration(2, 15, 5),
    resolution: resolution(["720P", "1080P"], "1080P"),
    audio: {
      type: "boolean",
      default: true,
      title: "Audio",
      description: "Whether the video has a sound track.",
    },
    audio_url: mediaField("audio", "Sound track", "Your own sound track."),
    prompt_extend: promptExtend(true),
    seed,
    region: regionField(virginia),
  }),
  limits: {
    maxDurationSeconds: 15,
    maxPromptCharacters: 5000,
    supportsAudio: true,
    supportsPromptExtend: true,
  },
  example: {
    model: imageToVideo1Id,
    prompt: "Slow push towards the hills, clouds drift by",
    image: landscapeImage,
    duration: 2,
    resolution: "720P",
  },
});

const imageToVideo2Id = "svc/adult-i2v-2";

const imageToVideo2Durations = [5, 8];

export const adultI2v2 = adultEntry({
  id: imageToVideo2Id,
  modality: "video",
  released_at: "2026-03-24",
  latest_release_at: "2026-07-07",
  api_type: "video-generation",
  engine: "video",
  input_schema: inputSchema(imageToVideo2Id, ["prompt", "image"], {
    prompt: prompt(5000),
    image: mediaField("image", "Image", "The picture that starts to move."),
    last_image: mediaField("image", "Last image", "The picture that the video ends on."),
    duration: durationChoice(imageToVideo2Durations, 5),
    resolution: resolution(["480P", "720P"], "480P"),
    prompt_extend: promptExtend(true),
    seed,
    region: regionField(virginia),
  }),
  limits: {
    durations: imageToVideo2Durations,
    maxDurationSeconds: 8,
    maxPromptCharacters: 5000,
    supportsPromptExtend: true,
  },
  example: {
    model: imageToVideo2Id,
    prompt: "Day turns into evening over the hills",
    image: landscapeImage,
    last_image: duskImage,
    duration: 5,
    resolution: "480P",
  },
});

const imageToVideo3Id = "svc/adult-i2v-3";

const imageToVideo3Durations = [5, 8];

export const adultI2v3 = adultEntry({
  id: imageToVideo3Id,
  modality: "video",
  released_at: "2026-06-02",
  latest_release_at: "2026-10-20",
  api_type: "video-generation",
  engine: "video",
  input_schema: inputSchema(imageToVideo3Id, ["prompt", "image"], {
    prompt: prompt(5000),
    image: mediaField("image", "Image", "The picture that starts to move."),
    duration: durationChoice(imageToVideo3Durations, 5),
    resolution: resolution(["480P", "720P"], "480P"),
    loras: loras("LoRAs", "Up to 3, used throughout."),
    high_noise_loras: loras("High-noise LoRAs", "Up to 3, used while the scene takes shape."),
    low_noise_loras: loras("Low-noise LoRAs", "Up to 3, used while detail is added."),
    seed,
    region: regionField(virginia),
  }),
  limits: {
    durations: imageToVideo3Durations,
    maxDurationSeconds: 8,
    maxLorasPerExpert: 3,
    maxPromptCharacters: 5000,
    supportsPromptExtend: false,
  },
  example: {
    model: imageToVideo3Id,
    prompt: "Wind moves through the grass, painted in water colours",
    image: landscapeImage,
    duration: 5,
    resolution: "480P",
    loras: [{ url: "https://example.com/loras/watercolour.safetensors", scale: 1 }],
  },
});

const animateId = "svc/adult-animate";

const animateModes = ["animate", "replace"];

const animateDurations = [5, 8];

export const adultAnimate = adultEntry({
  id: animateId,
  modality: "video",
  released_at: "2026-05-19",
  latest_release_at: "2026-09-08",
  api_type: "video-generation",
  engine: "animate",
  input_schema: inputSchema(animateId, ["image", "video", "mode", "duration", "resolution"], {
    image: mediaField("image", "Image", "The picture to animate or to put in."),
    video: mediaField("video", "Video", "The video that leads the movement."),
    mode: {
      type: "string",
      enum: animateModes,
      title: "Mode",
      description: "Animate the image, or replace the subject of the video.",
    },
    prompt: prompt(5000, 0),
    duration: durationChoice(animateDurations),
    resolution: resolution(["480P", "720P"]),
    seed,
    region: regionField(virginia),
  }),
  limits: {
    modes: animateModes,
    durations: animateDurations,
    maxDurationSeconds: 8,
    maxPromptCharacters: 5000,
  },
  example: {
    model: animateId,
    image: duskImage,
    video: landscapeVideo,
    mode: "animate",
    duration: 5,
    resolution: "480P",
  },
});

const upscaleId = "svc/adult-upscale";

export const adultUpscale = adultEntry({
  id: upscaleId,
  modality: "video",
  released_at: "2026-06-23",
  latest_release_at: "2026-10-06",
  api_type: "video-generation",
  engine: "upscale",
  input_schema: inputSchema(upscaleId, ["video", "duration", "resolution"], {
    video: mediaField("video", "Video", "The video to enlarge, up to 500 MiB."),
    duration: duration(1, 60),
    resolution: resolution(["720P", "1080P", "2K", "4K"]),
    region: regionField(virginia),
  }),
  limits: { maxInputBytes: 524_288_000, maxDurationSeconds: 60 },
  example: { model: upscaleId, video: landscapeVideo, duration: 2, resolution: "720P" },
});
