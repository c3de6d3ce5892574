import { landscapeImage } from "../example-media.ts";
import {
  adultEntry,
  inputSchema,
  mediaList,
  pixels,
  prompt,
  promptExtend,
  regionField,
  seed,
  singleOutput,
  virginia,
} from "./pieces.ts";

const image1Id = "svc/adult-img-1";

export const adultImg1 = adultEntry({
  id: image1Id,
  modality: "image",
  released_at: "2026-02-10",
  latest_release_at: "2026-05-05",
  api_type: "image-generation",
  engine: "pictures",
  input_schema: inputSchema(image1Id, ["prompt"], {
    prompt: prompt(5000),
    width: pixels("Width", 1536, 1024),
    height: pixels("Height", 1536, 1536),
    prompt_extend: promptExtend(true),
    n: singleOutput,
    seed,
    region: regionField(virginia),
  }),
  limits: {
    minWidth: 256,
    minHeight: 256,
    maxWidth: 1536,
    maxHeight: 1536,
    maxOutputs: 1,
    maxPromptCharacters: 5000,
  },
  example: { model: image1Id, prompt: "A lighthouse above a stormy sea", width: 512, height: 768, seed: 7 },
});

const image2Id = "svc/adult-img-2";

export const adultImg2 = adultEntry({
  id: image2Id,
  modality: "image",
  released_at: "2026-06-16",
  latest_release_at: "2026-09-22",
  api_type: "image-generation",
  engine: "pictures",
  input_schema: inputSchema(image2Id, ["prompt"], {
    prompt: prompt(5000),
    width: pixels("Width", 2560, 1024),
    height: pixels("Height", 2560, 1024),
    prompt_extend: promptExtend(false),
    n: singleOutput,
    seed,
    region: regionField(virginia),
  }),
  limits: {
    minWidth: 256,
    minHeight: 256,
    maxWidth: 2560,
    maxHeight: 2560,
    maxOutputs: 1,
    maxPromptCharacters: 5000,
  },
  example: { model: image2Id, prompt: "A lighthouse above a stormy sea", width: 1024, height: 1024, seed: 7 },
});

const editId = "svc/adult-edit";

export const adultEdit = adultEntry({
  id: editId,
  modality: "image",
  released_at: "2026-04-28",
  latest_release_at: "2026-08-11",
  api_type: "image-editing",
  engine: "edit",
  input_schema: inputSchema(editId, ["image", "prompt"], {
    image: mediaList("image", { minItems: 1, maxItems: 1 }, "Image", "Exactly one: the image to edit."),
    prompt: prompt(5000),
    n: singleOutput,
    seed,
    region: regionField(virginia),
  }),
  limits: { maxOutputs: 1, maxInputBytes: 20_971_520, maxInputImages: 1, maxPromptCharacters: 5000 },
  example: {
    model: editId,
    image: [landscapeImage],
    prompt: "Make it a winter scene with snow on the hills",
  },
});
