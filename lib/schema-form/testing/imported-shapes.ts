import type { CatalogModel, CatalogOperation } from "#contract/catalog.ts";
import { checkSchema } from "#contract/input-schema/check-schema.ts";

/**
 * Input schemas from model hosts, reduced to the features that are hard to display, each with a valid input.
 */
interface Shape {
  name: string;
  schema: object;
  document?: object;
  example: Record<string, unknown>;
}

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const documentOf = (schemas: object) => ({ components: { schemas } });

const upscaler: Shape = {
  name: "a cog model: x-order, allOf around a reference, nullable",
  schema: refTo("Input"),
  document: documentOf({
    Input: {
      type: "object",
      title: "Input",
      required: ["image"],
      properties: {
        seed: { type: "integer", title: "Seed", default: 1337, nullable: true, "x-order": 3 },
        image: { type: "string", title: "Image", format: "uri", "x-order": 0, "x-svc-media": "image" },
        scheduler: {
          allOf: [refTo("scheduler")],
          default: "DDIM",
          "x-order": 2,
          description: "Choose a scheduler.",
        },
        dynamic: { type: "number", title: "Dynamic", default: 6, minimum: 1, maximum: 50, "x-order": 1 },
        fps: { enum: [24], type: "integer", title: "fps", default: 24, "x-order": 4 },
        disable_safety_checker: { type: "boolean", default: false, "x-order": 5 },
      },
    },
    scheduler: {
      enum: ["DDIM", "K_EULER"],
      type: "string",
      title: "scheduler",
      description: "An enumeration.",
    },
  }),
  example: { image: "https://example.com/a.png", dynamic: 8, seed: null },
};

const image: Shape = {
  name: "a fal image model: preset or size, lists of objects in lists of objects",
  schema: refTo("ImageInput"),
  document: documentOf({
    ImageInput: {
      type: "object",
      required: ["prompt"],
      "x-fal-order-properties": ["prompt", "image_size", "loras", "controlnet_unions", "strength", "steps"],
      properties: {
        steps: { type: "integer", exclusiveMinimum: 0, maximum: 50, default: 28 },
        prompt: { type: "string", title: "Prompt", examples: ["A cat"] },
        image_size: {
          anyOf: [
            refTo("ImageSize"),
            { type: "string", enum: ["square_hd", "square", "portrait_4_3", "landscape_16_9"] },
          ],
          default: "landscape_16_9",
          title: "Image Size",
        },
        loras: { type: "array", items: refTo("LoraWeight"), default: [], title: "Loras" },
        controlnet_unions: {
          type: "array",
          maxItems: 2,
          items: {
            type: "object",
            required: ["path", "controls"],
            properties: {
              path: { type: "string" },
              controls: { type: "array", minItems: 1, items: refTo("Control") },
            },
          },
        },
        strength: { anyOf: [{ type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 }, { type: "null" }] },
      },
    },
    ImageSize: {
      type: "object",
      title: "ImageSize",
      properties: {
        width: { type: "integer", exclusiveMinimum: 0, maximum: 14142, default: 512 },
        height: { type: "integer", exclusiveMinimum: 0, maximum: 14142, default: 512 },
      },
    },
    LoraWeight: {
      type: "object",
      title: "LoraWeight",
      required: ["path"],
      properties: { path: { type: "string" }, scale: { type: "number", minimum: 0, maximum: 4, default: 1 } },
    },
    Control: {
      type: "object",
      required: ["mode"],
      properties: {
        mode: { type: "string", enum: ["canny", "depth", "pose"] },
        range: { type: "array", items: { type: "number", minimum: 0, maximum: 1 }, minItems: 2, maxItems: 2 },
      },
    },
  }),
  example: {
    prompt: "A cat",
    image_size: { width: 640, height: 480 },
    loras: [{ path: "https://example.com/a.safetensors", scale: 0.5 }],
    controlnet_unions: [{ path: "union", controls: [{ mode: "canny", range: [0, 0.5] }] }],
    strength: 0.5,
  },
};

const assistant: Shape = {
  name: "an OpenAI-like request: unions by a constant, by type, free keys",
  schema: {
    type: "object",
    required: ["input"],
    properties: {
      input: {
        oneOf: [
          { type: "string", title: "Text input" },
          {
            type: "array",
            title: "Item list",
            items: {
              oneOf: [refTo("InputText"), refTo("InputImage")],
              discriminator: { propertyName: "type" },
            },
          },
        ],
      },
      model_name: { anyOf: [{ type: "string" }, { type: "string", enum: ["gpt-5", "gpt-5-mini"] }] },
      stop: {
        oneOf: [
          { type: "string" },
          { type: "array", minItems: 1, maxItems: 4, items: { type: "string" } },
          { type: "null" },
        ],
      },
      temperature: { type: ["number", "null"], minimum: 0, maximum: 2, default: 1 },
      metadata: {
        type: "object",
        additionalProperties: { type: "string", maxLength: 512 },
        maxProperties: 16,
      },
      logit_bias: { type: "object", additionalProperties: { type: "integer", minimum: -100, maximum: 100 } },
      response_format: {
        oneOf: [refTo("FormatText"), refTo("FormatSchema")],
        discriminator: {
          propertyName: "type",
          mapping: {
            text: "#/components/schemas/FormatText",
            json_schema: "#/components/schemas/FormatSchema",
          },
        },
      },
      reasoning: { anyOf: [{ const: "low" }, { const: "high" }, { type: "integer", minimum: 1 }] },
    },
    additionalProperties: false,
  },
  document: documentOf({
    InputText: {
      type: "object",
      required: ["type", "text"],
      properties: { type: { const: "input_text" }, text: { type: "string" } },
    },
    InputImage: {
      type: "object",
      required: ["type", "image_url"],
      properties: {
        type: { const: "input_image" },
        image_url: { type: "string", format: "uri" },
        detail: { enum: ["low", "high"] },
      },
    },
    FormatText: { type: "object", required: ["type"], properties: { type: { type: "string" } } },
    FormatSchema: {
      type: "object",
      required: ["type", "schema"],
      properties: {
        type: { type: "string" },
        name: { type: "string" },
        schema: { type: "object" },
        strict: { type: "boolean" },
      },
    },
  }),
  example: {
    input: [
      { type: "input_text", text: "Hi" },
      { type: "input_image", image_url: "https://example.com/a.png" },
    ],
    stop: ["END"],
    temperature: null,
    metadata: { customer: "7" },
    logit_bias: { "50256": -100 },
    response_format: { type: "json_schema", schema: { type: "object" } },
    reasoning: 3,
  },
};

const speech: Shape = {
  name: "a speech model: a long list of voices, moments, formats",
  schema: {
    type: "object",
    required: ["text", "voice"],
    properties: {
      text: { type: "string", minLength: 1, maxLength: 5000 },
      voice: { type: "string", enum: Array.from({ length: 120 }, (_, at) => `Voice ${at + 1}`) },
      publish_on: { type: "string", format: "date" },
      starts_at: { anyOf: [{ type: "string", format: "date-time" }, { type: "null" }] },
      notify: { type: "string", format: "email" },
      callback: { type: "string", format: "uri" },
      speed: { type: "number", minimum: 0.5, maximum: 2, multipleOf: 0.25, default: 1 },
      sample_rate: { type: "integer", enum: [8000, 16000, 44100], default: 16000 },
      pronunciation: {
        type: "object",
        propertyNames: { pattern: "^[A-Za-z]+$" },
        additionalProperties: { type: "string", minLength: 1 },
      },
      tone: {
        type: "string",
        oneOf: [
          { title: "Calm", const: "calm" },
          { title: "Lively", const: "lively" },
        ],
      },
    },
  },
  example: {
    text: "Hello",
    voice: "Voice 77",
    publish_on: "2026-03-31",
    starts_at: "2026-03-31T10:00:00Z",
    notify: "a@example.com",
    speed: 1.25,
    pronunciation: { GIF: "jif" },
  },
};

const camera: Shape = {
  name: "a video model: tuples, a union of objects in a group, patterns",
  schema: {
    type: "object",
    required: ["prompt", "camera"],
    properties: {
      prompt: { type: "string" },
      aspect: { type: "string", pattern: "^\\d{1,2}:\\d{1,2}$", examples: ["16:9"] },
      camera: {
        type: "object",
        required: ["movement"],
        properties: {
          movement: {
            oneOf: [
              {
                type: "object",
                title: "Pan",
                required: ["kind"],
                properties: {
                  kind: { const: "pan" },
                  degrees: { type: "number", minimum: -90, maximum: 90 },
                },
              },
              {
                type: "object",
                title: "Zoom",
                required: ["kind", "factor"],
                properties: { kind: { const: "zoom" }, factor: { type: "number", exclusiveMinimum: 0 } },
              },
            ],
          },
          keyframe: {
            type: "array",
            prefixItems: [
              { type: "number", title: "Seconds" },
              { type: "string", title: "Easing", enum: ["linear", "ease"] },
            ],
            items: false,
            minItems: 2,
          },
        },
      },
      regions: {
        type: "array",
        items: { type: "array", items: { type: "integer", minimum: 0 }, minItems: 4, maxItems: 4 },
      },
      overrides: {
        type: "object",
        properties: { fps: { type: "integer", minimum: 1 } },
        additionalProperties: { type: "number" },
      },
    },
  },
  example: {
    prompt: "Waves",
    aspect: "16:9",
    camera: { movement: { kind: "zoom", factor: 2 }, keyframe: [1.5, "ease"] },
    regions: [[0, 0, 10, 10]],
    overrides: { fps: 24, grain: 0.2 },
  },
};

const nested = (levels: number): object =>
  levels === 0
    ? { type: "string" }
    : { type: "object", properties: { inner: nested(levels - 1) }, required: ["inner"] };

const odd: Shape = {
  name: "what no control draws: any value, every type, ten levels",
  schema: {
    type: "object",
    required: ["anything"],
    properties: {
      anything: {},
      free: { type: "object" },
      every: { type: ["string", "number", "boolean", "array", "object", "null"] },
      both: {
        allOf: [
          { type: "string", pattern: "^a" },
          { type: "string", pattern: "z$" },
        ],
      },
      never: { not: { type: "string" } },
      list: { type: "array" },
      deep: nested(10),
      limits: { enum: [{ max: 1 }, { max: 2 }, null] },
    },
  },
  example: {
    anything: [1, { a: null }],
    free: { x: 1 },
    every: false,
    both: "abcz",
    never: 7,
    list: [1, "a"],
    limits: { max: 2 },
  },
};

const model = {
  id: "own/model",
  available_regions: ["us-virginia"],
  healthy_regions: ["us-virginia"],
  safety_requirements: {},
} as unknown as CatalogModel;

/** Each schema in the form in which the catalog publishes it after an import. */
export const importedShapes = [upscaler, image, assistant, speech, camera, odd].map((shape) => {
  const checked = checkSchema(shape.schema, shape.document ?? shape.schema);
  if (!checked.ok) throw new Error(`${shape.name}: ${checked.place} ${checked.reason}`);
  const operation = {
    id: "own/model:image-generation",
    api_type: "image-generation",
    execution_mode: "async",
    input_schema: checked.schema,
    limits: {},
    example: shape.example,
  } as unknown as CatalogOperation;
  return { name: shape.name, model, operation };
});
