import { landscapeImage } from "../example-media.ts";
import { adultEntry } from "../pieces/adult-entry.ts";
import {
  inputSchema,
  mediaList,
  prompt,
  regionField,
  seed,
  singleOutput,
  virginia,
} from "../pieces/pieces.ts";

const id = "svc/adult-edit";

export const adultEdit = adultEntry({
  id,
  modality: "image",
  released_at: "2026-04-28",
  latest_release_at: "2026-08-11",
  api_type: "image-editing",
  engine: "edit",
  input_schema: inputSchema(id, ["image", "prompt"], {
    image: mediaList("image", { minItems: 1, maxItems: 1 }, "Image", "Exactly one: the image to edit."),
    prompt: prompt(5000),
    n: singleOutput,
    seed,
    region: regionField(virginia),
  }),
  limits: { maxOutputs: 1, maxInputBytes: 20_971_520, maxInputImages: 1, maxPromptCharacters: 5000 },
  example: { model: id, image: [landscapeImage], prompt: "Make it a winter scene with snow on the hills" },
});
