import type { Entry } from "../entry.ts";
import { imageEditingA, imageGenerationA } from "../pieces/image-generation.ts";
import { beijingAndSingapore } from "../pieces/regions.ts";
import { ungated } from "../pieces/safety.ts";

const id = "svc/img-gen-a-1";

export const imgGenA1: Entry = {
  id,
  modality: "image",
  regions: beijingAndSingapore,
  released_at: "2026-01-13",
  latest_release_at: "2026-05-12",
  safety_requirements: ungated,
  operations: [imageGenerationA(id), imageEditingA(id)],
};
