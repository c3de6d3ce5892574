import { adultEntry } from "../pieces/adult-entry.ts";
import {
  inputSchema,
  pixels,
  prompt,
  promptExtend,
  regionField,
  seed,
  singleOutput,
  virginia,
} from "../pieces/pieces.ts";

const id = "svc/adult-img-2";

export const adultImg2 = adultEntry({
  id,
  modality: "image",
  released_at: "2026-06-16",
  latest_release_at: "2026-09-22",
  api_type: "image-generation",
  engine: "pictures",
  input_schema: inputSchema(id, ["prompt"], {
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
  example: { model: id, prompt: "A lighthouse above a stormy sea", width: 1024, height: 1024, seed: 7 },
});
