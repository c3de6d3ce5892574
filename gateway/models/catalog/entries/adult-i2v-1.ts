import { landscapeImage } from "../example-media.ts";
import { adultEntry } from "../pieces/adult-entry.ts";
import {
  duration,
  inputSchema,
  mediaField,
  prompt,
  promptExtend,
  regionField,
  resolution,
  seed,
  virginia,
} from "../pieces/pieces.ts";

const id = "svc/adult-i2v-1";

export const adultI2v1 = adultEntry({
  id,
  modality: "video",
  released_at: "2026-03-03",
  latest_release_at: "2026-06-23",
  api_type: "video-generation",
  engine: "video",
  input_schema: inputSchema(id, ["prompt", "image"], {
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
    model: id,
    prompt: "Slow push towards the hills, clouds drift by",
    image: landscapeImage,
    duration: 2,
    resolution: "720P",
  },
});
