import type { JsonSchema } from "#contract/catalog.ts";
import type { Entry, EntryOperation } from "../entry.ts";
import { landscapeImage } from "../example-media.ts";
import { imagesOutput } from "../pieces/outputs.ts";
import {
  beijingAndSingapore,
  freeObject,
  inputSchema,
  prompt,
  regionField,
  ungated,
} from "../pieces/pieces.ts";

const outputs: JsonSchema = {
  type: "integer",
  minimum: 1,
  maximum: 4,
  title: "Number of images",
  description: "1 to 4, each a different picture.",
};
const size: JsonSchema = {
  type: "string",
  title: "Size",
  description: "Width and height in pixels, for example 1024*1024.",
};

/** IMG-GEN-A: one request shape, three entries. */
function imageGenerationA(modelId: string): EntryOperation {
  return {
    api_type: "image-generation",
    engine: "pictures",
    billing_unit: "generation",
    execution_mode: "sync",
    schema_version: 1,
    input_schema: inputSchema(modelId, ["prompt"], {
      prompt: prompt(5000),
      n: outputs,
      size,
      input: freeObject("Input", "Further input fields, passed on as they are."),
      parameters: freeObject("Parameters", "Further model parameters, passed on as they are."),
      region: regionField(beijingAndSingapore),
    }),
    output_schema: imagesOutput,
    limits: { maxOutputs: 4, maxPromptCharacters: 5000 },
    example: {
      model: modelId,
      prompt: "A quiet harbour at sunrise, mist over the water",
      n: 1,
      size: "1024*1024",
    },
  };
}

/** IMG-EDIT-A: the published schema lists which fields are required and no shapes. */
function imageEditingA(modelId: string): EntryOperation {
  return {
    api_type: "image-editing",
    engine: "edit",
    billing_unit: "generation",
    execution_mode: "sync",
    schema_version: 1,
    input_schema: inputSchema(modelId, ["prompt", "image"], {}),
    output_schema: imagesOutput,
    limits: { maxInputBytes: 20_971_520, maxInputImages: 9, maxPromptCharacters: 5000 },
    example: { model: modelId, prompt: "Turn the day into a golden evening", image: [landscapeImage] },
    internal: {
      accepts: {
        prompt: { type: "string", minLength: 1 },
        image: {
          type: ["string", "array"],
          minLength: 1,
          minItems: 1,
          items: { type: "string", minLength: 1 },
        },
        n: outputs,
        size,
        input: { type: "object" },
        parameters: { type: "object" },
      },
      media: { image: "image", "image/*": "image" },
    },
  };
}

export const imageEntries: readonly Entry[] = [
  {
    id: "svc/img-gen-a-1",
    modality: "image",
    regions: beijingAndSingapore,
    released_at: "2026-01-13",
    latest_release_at: "2026-05-12",
    safety_requirements: ungated,
    operations: [imageGenerationA("svc/img-gen-a-1"), imageEditingA("svc/img-gen-a-1")],
  },
  {
    id: "svc/img-gen-a-2",
    modality: "image",
    regions: beijingAndSingapore,
    released_at: "2026-05-05",
    latest_release_at: "2026-09-15",
    safety_requirements: ungated,
    operations: [imageGenerationA("svc/img-gen-a-2"), imageEditingA("svc/img-gen-a-2")],
  },
  {
    id: "svc/img-gen-a-3",
    modality: "image",
    regions: beijingAndSingapore,
    released_at: "2026-07-07",
    latest_release_at: "2026-10-06",
    safety_requirements: ungated,
    operations: [imageGenerationA("svc/img-gen-a-3")],
  },
];
