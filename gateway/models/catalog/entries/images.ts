import type { JsonSchema } from "#contract/catalog.ts";
import type { Entry, EntryOperation } from "../entry.ts";
import { duskImage, landscapeImage } from "../example-media.ts";
import {
  adultWithPersonRights,
  beijingAndSingapore,
  freeObject,
  imagesOutput,
  inputSchema,
  mediaList,
  predictionOutput,
  prompt,
  regionField,
  seed,
  singleOutput,
  ungated,
  virginia,
} from "./pieces.ts";

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

const imageGenerationBId = "svc/img-gen-b";

const sizes = ["1024x1024", "1536x1024", "1024x1536", "2048x2048", "2048x1152", "3840x2160", "2160x3840"];

const qualities = ["low", "medium", "high"];

const formats = ["png", "jpeg"];

export const imgGenB: Entry = {
  id: imageGenerationBId,
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
      input_schema: inputSchema(imageGenerationBId, ["prompt", "quality", "size", "output_format"], {
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
        model: imageGenerationBId,
        prompt: "A paper boat on a still lake between pine trees",
        quality: "medium",
        size: "1024x1024",
        output_format: "png",
      },
    },
  ],
};

interface Swap {
  id: string;
  /** The part taken from the second image. */
  part: "face" | "head";
  released_at: string;
  latest_release_at: string;
}

/** SWAP-1 and SWAP-2: two images, the target first; gated by all three safety requirements. */
function swap(options: Swap): Entry {
  return {
    id: options.id,
    modality: "image",
    regions: virginia,
    released_at: options.released_at,
    latest_release_at: options.latest_release_at,
    safety_requirements: adultWithPersonRights,
    operations: [
      {
        api_type: "image-editing",
        engine: options.part === "head" ? "swap-head" : "swap-face",
        billing_unit: "generation",
        execution_mode: "async",
        schema_version: 2,
        input_schema: inputSchema(options.id, ["image", "person_rights_confirmed"], {
          image: mediaList(
            "image",
            { minItems: 2, maxItems: 2 },
            "Image",
            `Exactly two: the target image first, then the ${options.part} source.`,
          ),
          person_rights_confirmed: {
            type: "boolean",
            title: "Person rights confirmed",
            description:
              "Every identifiable person in the images is me, or has explicitly authorized this operation.",
          },
          n: singleOutput,
          seed,
          region: regionField(virginia),
        }),
        output_schema: predictionOutput,
        limits: {
          maxOutputs: 1,
          maxInputBytes: 20_971_520,
          maxInputImages: 2,
          imageOrder: ["target", "source"],
        },
        example: { model: options.id, image: [landscapeImage, duskImage], person_rights_confirmed: true },
      },
    ],
  };
}

export const swapEntries: readonly Entry[] = [
  swap({
    id: "svc/swap-1",
    part: "face",
    released_at: "2026-05-12",
    latest_release_at: "2026-09-15",
  }),
  swap({
    id: "svc/swap-2",
    part: "head",
    released_at: "2026-05-12",
    latest_release_at: "2026-09-15",
  }),
];
