import type { Entry } from "../entry.ts";
import { predictionOutput } from "../pieces/outputs.ts";
import { inputSchema, prompt, regionField, singleOutput, ungated, virginia } from "../pieces/pieces.ts";

const id = "svc/img-gen-b";
const sizes = ["1024x1024", "1536x1024", "1024x1536", "2048x2048", "2048x1152", "3840x2160", "2160x3840"];
const qualities = ["low", "medium", "high"];
const formats = ["png", "jpeg"];

export const imgGenB: Entry = {
  id,
  modality: "image",
  regions: virginia,
  released_at: "2026-04-21",
  latest_release_at: "2026-09-29",
  safety_requirements: ungated,
  operations: [
    {
      api_type: "image-generation",
      engine: "pictures",
      billing_unit: "generation",
      execution_mode: "async",
      schema_version: 1,
      input_schema: inputSchema(id, ["prompt", "quality", "size", "output_format"], {
        prompt: prompt(1000),
        size: { type: "string", enum: sizes, title: "Size", description: "Width and height in pixels." },
        quality: {
          type: "string",
          enum: qualities,
          title: "Quality",
          description: "Higher takes longer and shows more detail.",
        },
        output_format: {
          type: "string",
          enum: formats,
          title: "Format",
          description: "File type of the image.",
        },
        n: singleOutput,
        region: regionField(virginia),
      }),
      output_schema: predictionOutput,
      limits: { maxOutputs: 1, maxPromptCharacters: 1000, sizes, formats, qualities },
      example: {
        model: id,
        prompt: "A paper boat on a still lake between pine trees",
        quality: "medium",
        size: "1024x1024",
        output_format: "png",
      },
    },
  ],
};
