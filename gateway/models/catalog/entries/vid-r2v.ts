import type { JsonSchema } from "#contract/catalog.ts";
import type { Entry } from "../entry.ts";
import { landscapeImage } from "../example-media.ts";
import { predictionOutput } from "../pieces/outputs.ts";
import { beijingAndSingapore, inputSchema, mediaField, ungated } from "../pieces/pieces.ts";
import { videoFields } from "../pieces/video-generation.ts";

const id = "svc/vid-r2v";

const media: JsonSchema = {
  type: "array",
  minItems: 1,
  maxItems: 10,
  title: "Media",
  description: "1 to 10 references that the video keeps to.",
  items: {
    type: "object",
    required: ["url", "type"],
    properties: {
      type: {
        type: "string",
        enum: ["reference_image", "reference_video", "first_frame"],
        title: "Use as",
        description: "What this file is for.",
      },
      url: mediaField("any", "File"),
      reference_voice: mediaField(
        "audio",
        "Reference voice",
        "A recording of the voice, where it should speak.",
      ),
    },
  },
};

export const vidR2v: Entry = {
  id,
  modality: "video",
  regions: beijingAndSingapore,
  released_at: "2026-03-17",
  latest_release_at: "2026-08-25",
  safety_requirements: ungated,
  operations: [
    {
      api_type: "video-generation",
      engine: "video",
      billing_unit: "second",
      execution_mode: "async",
      schema_version: 1,
      input_schema: inputSchema(id, ["prompt", "media"], videoFields(media, 10, beijingAndSingapore)),
      output_schema: predictionOutput,
      limits: { maxDurationSeconds: 10, minDurationSeconds: 2, maxPromptCharacters: 2000 },
      example: {
        model: id,
        prompt: "The sun moves over the hills while clouds gather",
        media: [{ type: "first_frame", url: landscapeImage }],
        duration: 2,
        resolution: "720P",
      },
    },
  ],
};
