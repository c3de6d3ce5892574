import type { Entry } from "../entry.ts";
import { landscapeVideo } from "../example-media.ts";
import { predictionOutput } from "../pieces/outputs.ts";
import { beijingAndSingapore, inputSchema, ungated } from "../pieces/pieces.ts";
import { thinMedia, thinMediaRules, videoFields } from "../pieces/video-generation.ts";

const id = "svc/vid-edit";
const media = thinMedia("The video to edit and up to 9 references, each with a url.");

export const vidEdit: Entry = {
  id,
  modality: "video",
  regions: beijingAndSingapore,
  released_at: "2026-06-09",
  latest_release_at: "2026-10-20",
  safety_requirements: ungated,
  operations: [
    {
      api_type: "video-generation",
      engine: "video-edit",
      billing_unit: "second",
      execution_mode: "async",
      schema_version: 1,
      input_schema: inputSchema(id, ["prompt", "media"], videoFields(media, 30, beijingAndSingapore)),
      output_schema: predictionOutput,
      limits: { maxDurationSeconds: 30, minDurationSeconds: 2, maxPromptCharacters: 2000 },
      example: {
        model: id,
        prompt: "Give the landscape warm autumn colours",
        media: [{ type: "video", url: landscapeVideo }],
        duration: 2,
        resolution: "720P",
      },
      internal: thinMediaRules,
    },
  ],
};
