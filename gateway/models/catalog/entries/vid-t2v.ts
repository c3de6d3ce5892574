import type { Entry } from "../entry.ts";
import { predictionOutput } from "../pieces/outputs.ts";
import { beijingAndSingapore, inputSchema, ungated } from "../pieces/pieces.ts";
import { thinMedia, thinMediaRules, videoFields } from "../pieces/video-generation.ts";

const id = "svc/vid-t2v";
const media = thinMedia("Up to 10 references, each with a url.");

export const vidT2v: Entry = {
  id,
  modality: "video",
  regions: beijingAndSingapore,
  released_at: "2026-03-17",
  latest_release_at: "2026-09-08",
  safety_requirements: ungated,
  operations: [
    {
      api_type: "video-generation",
      engine: "video",
      billing_unit: "second",
      execution_mode: "async",
      schema_version: 1,
      input_schema: inputSchema(id, ["prompt"], videoFields(media, 30, beijingAndSingapore)),
      output_schema: predictionOutput,
      limits: { maxDurationSeconds: 30, minDurationSeconds: 2, maxPromptCharacters: 2000 },
      example: {
        model: id,
        prompt: "A river winds through a green valley, seen from above",
        duration: 2,
        resolution: "720P",
      },
      internal: thinMediaRules,
    },
  ],
};
