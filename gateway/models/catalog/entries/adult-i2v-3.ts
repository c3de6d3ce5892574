import { landscapeImage } from "../example-media.ts";
import { adultEntry } from "../pieces/adult-entry.ts";
import {
  durationChoice,
  inputSchema,
  loras,
  mediaField,
  prompt,
  regionField,
  resolution,
  seed,
  virginia,
} from "../pieces/pieces.ts";

const id = "svc/adult-i2v-3";
const durations = [5, 8];

export const adultI2v3 = adultEntry({
  id,
  modality: "video",
  released_at: "2026-06-02",
  latest_release_at: "2026-10-20",
  api_type: "video-generation",
  engine: "video",
  input_schema: inputSchema(id, ["prompt", "image"], {
    prompt: prompt(5000),
    image: mediaField("image", "Image", "The picture that starts to move."),
    duration: durationChoice(durations, 5),
    resolution: resolution(["480P", "720P"], "480P"),
    loras: loras("LoRAs", "Up to 3, used throughout."),
    high_noise_loras: loras("High-noise LoRAs", "Up to 3, used while the scene takes shape."),
    low_noise_loras: loras("Low-noise LoRAs", "Up to 3, used while detail is added."),
    seed,
    region: regionField(virginia),
  }),
  limits: {
    durations,
    maxDurationSeconds: 8,
    maxLorasPerExpert: 3,
    maxPromptCharacters: 5000,
    supportsPromptExtend: false,
  },
  example: {
    model: id,
    prompt: "Wind moves through the grass, painted in water colours",
    image: landscapeImage,
    duration: 5,
    resolution: "480P",
    loras: [{ url: "https://example.com/loras/watercolour.safetensors", scale: 1 }],
  },
});
