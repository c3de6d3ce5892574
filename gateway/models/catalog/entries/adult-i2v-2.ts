import { duskImage, landscapeImage } from "../example-media.ts";
import { adultEntry } from "../pieces/adult-entry.ts";
import {
  durationChoice,
  inputSchema,
  mediaField,
  prompt,
  promptExtend,
  regionField,
  resolution,
  seed,
  virginia,
} from "../pieces/pieces.ts";

const id = "svc/adult-i2v-2";
const durations = [5, 8];

export const adultI2v2 = adultEntry({
  id,
  modality: "video",
  released_at: "2026-03-24",
  latest_release_at: "2026-07-07",
  api_type: "video-generation",
  engine: "video",
  input_schema: inputSchema(id, ["prompt", "image"], {
    prompt: prompt(5000),
    image: mediaField("image", "Image", "The picture that starts to move."),
    last_image: mediaField("image", "Last image", "The picture that the video ends on."),
    duration: durationChoice(durations, 5),
    resolution: resolution(["480P", "720P"], "480P"),
    prompt_extend: promptExtend(true),
    seed,
    region: regionField(virginia),
  }),
  limits: { durations, maxDurationSeconds: 8, maxPromptCharacters: 5000, supportsPromptExtend: true },
  example: {
    model: id,
    prompt: "Day turns into evening over the hills",
    image: landscapeImage,
    last_image: duskImage,
    duration: 5,
    resolution: "480P",
  },
});
