import type { JsonSchema } from "#contract/catalog.ts";
import type { EntryOperation } from "../entry.ts";
import { landscapeImage } from "../example-media.ts";
import { freeObject, prompt } from "./fields.ts";
import { inputSchema } from "./input-schema.ts";
import { imagesOutput } from "./outputs.ts";
import { beijingAndSingapore, regionField } from "./regions.ts";

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
export function imageGenerationA(modelId: string): EntryOperation {
  return {
    api_type: "image-generation",
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
export function imageEditingA(modelId: string): EntryOperation {
  return {
    api_type: "image-editing",
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
