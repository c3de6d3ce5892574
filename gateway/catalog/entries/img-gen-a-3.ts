import type { Entry } from "../entry.ts";
import { imageGenerationA } from "../pieces/image-generation.ts";
import { beijingAndSingapore } from "../pieces/regions.ts";
import { ungated } from "../pieces/safety.ts";

const id = "svc/img-gen-a-3";

export const imgGenA3: Entry = {
  id,
  modality: "image",
  regions: beijingAndSingapore,
  released_at: "2026-07-07",
  latest_release_at: "2026-10-06",
  safety_requirements: ungated,
  operations: [imageGenerationA(id)],
};
