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

const id = "svc/adult-img-1";

export const adultImg1 = adultEntry({
  id,
  modality: "image",
  released_at: "2026-02-10",
  latest_release_at: "2026-05-05",
  api_type: "image-generation",
  engine: "pictures",
  input_schema: inputSchema(id, ["prompt"], {
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
  example: { model: id, prompt: "A lighthouse above a stormy sea", width: 512, height: 768, seed: 7 },
});
