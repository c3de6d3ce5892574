/** Models as Replicate and fal describe them: the same shapes, with a few fields each and our own texts. */

const file = { type: "string", format: "uri" };
const enumOf = (title: string, values: string[]) => ({
  type: "string",
  title,
  enum: values,
  description: "An enumeration.",
});

interface ReplicateParts {
  owner?: string;
  name: string;
  description: string;
  required?: string[];
  properties: Record<string, unknown>;
  enums?: Record<string, unknown>;
  output: unknown;
  official?: boolean;
  example?: { input: Record<string, unknown>; output: unknown };
}

/** The answer to `GET /models/{owner}/{name}`. */
export function replicateAnswer(parts: ReplicateParts): Record<string, unknown> {
  const {
    owner = "acme",
    name,
    description,
    required,
    properties,
    enums = {},
    output,
    official,
    example,
  } = parts;
  return {
    url: `https://replicate.com/${owner}/${name}`,
    owner,
    name,
    description,
    visibility: "public",
    run_count: 1,
    cover_image_url: `https://pictures.example.com/${name}.webp`,
    ...(official && { is_official: true }),
    default_example: example ?? null,
    latest_version: {
      id: "5c7d5dc6dd8bf75c1acaa8565735e7986bc5b66206b55cca93cb72c9bf15ccaa",
      cog_version: "0.9.4",
      openapi_schema: {
        openapi: "3.0.2",
        info: { title: "Cog", version: "0.1.0" },
        paths: { "/predictions": { post: { summary: "Predict" } } },
        components: {
          schemas: {
            Input: { type: "object", title: "Input", ...(required && { required }), properties },
            Output: output,
            Status: { enum: ["starting", "processing", "succeeded", "canceled", "failed"], type: "string" },
            ...enums,
          },
        },
      },
    },
  };
}

/** A text-to-image model in the manner of `flux-schnell`. */
export const replicatePictures = replicateAnswer({
  name: "fast-pictures",
  description: "The fastest image generation model",
  required: ["prompt"],
  official: true,
  enums: {
    aspect_ratio: enumOf("aspect_ratio", ["1:1", "16:9", "9:16"]),
    output_format: enumOf("output_format", ["webp", "jpg", "png"]),
  },
  properties: {
    seed: { type: "integer", title: "Seed", "x-order": 3, nullable: true, description: "Random seed" },
    prompt: { type: "string", title: "Prompt", "x-order": 0, description: "Prompt for generated image" },
    num_outputs: { type: "integer", title: "Num Outputs", default: 1, maximum: 4, minimum: 1, "x-order": 2 },
    aspect_ratio: {
      allOf: [{ $ref: "#/components/schemas/aspect_ratio" }],
      default: "1:1",
      "x-order": 1,
      description: "Aspect ratio for the generated image",
    },
    output_format: { allOf: [{ $ref: "#/components/schemas/output_format" }], default: "webp", "x-order": 4 },
  },
  output: { type: "array", items: file, title: "Output" },
  example: {
    input: { prompt: "black forest gateau", num_outputs: 1, aspect_ratio: "1:1" },
    output: ["https://files.example.com/out-0.webp"],
  },
});

/** A video from a picture; its weights are a file, but not a medium. */
export const replicateVideo = replicateAnswer({
  name: "wave-i2v",
  description: "Image to video",
  required: ["prompt", "image"],
  properties: {
    image: { ...file, title: "Image", "x-order": 1, description: "Image for use as the first frame." },
    prompt: { type: "string", title: "Prompt", "x-order": 0 },
    lora_weights: { ...file, title: "Lora Weights", nullable: true, "x-order": 9 },
    seconds: { type: "integer", title: "Seconds", minimum: 5, maximum: 8, default: 5, "x-order": 2 },
  },
  output: { ...file, title: "Output" },
});

/** A transcription with a field that is called `model`. */
export const replicateWhisper = replicateAnswer({
  name: "whisper",
  description: "Convert speech in audio to text",
  required: ["audio_file"],
  enums: { model: enumOf("model", ["large-v2", "large-v3"]) },
  properties: {
    audio_file: { ...file, title: "Audio File", "x-order": 0 },
    model: { allOf: [{ $ref: "#/components/schemas/model" }], default: "large-v3", "x-order": 1 },
    temperature: { type: "number", title: "Temperature", default: 0, "x-order": 2 },
  },
  output: {
    type: "object",
    title: "ModelOutput",
    required: ["detected_language", "transcription"],
    properties: {
      segments: { title: "Segments" },
      transcription: { type: "string", title: "Transcription" },
      detected_language: { type: "string", title: "Detected Language" },
      srt_file: { ...file, title: "Srt File" },
    },
  },
});

export const replicateChat = replicateAnswer({
  name: "llm-8b-chat",
  description: "A language model",
  required: ["prompt"],
  properties: { prompt: { type: "string", title: "Prompt", "x-order": 0 } },
  output: {
    type: "array",
    items: { type: "string" },
    title: "Output",
    "x-cog-array-type": "iterator",
    "x-cog-array-display": "concatenate",
  },
});

export const replicateMesh = replicateAnswer({
  name: "shape-maker",
  description: "Turns a picture into a 3D mesh",
  required: ["image"],
  properties: { image: { ...file, title: "Image", "x-order": 0 } },
  output: { type: "object", properties: { mesh: { ...file, title: "Mesh" } } },
});

interface FalParts {
  endpoint: string;
  category: string;
  input: Record<string, unknown>;
  output: Record<string, unknown>;
  schemas?: Record<string, unknown>;
}

/** The OpenAPI document of an endpoint in fal's queue. */
export function falDocument({
  endpoint,
  category,
  input,
  output,
  schemas = {},
}: FalParts): Record<string, unknown> {
  const json = (name: string) => ({
    content: { "application/json": { schema: { $ref: `#/components/schemas/${name}` } } },
  });
  return {
    openapi: "3.0.4",
    info: {
      title: `Queue OpenAPI for ${endpoint}`,
      version: "1.0.0",
      "x-fal-metadata": {
        endpointId: endpoint,
        category,
        thumbnailUrl: "https://pictures.example.com/fal.jpg",
      },
    },
    components: { schemas: { Input: input, Output: output, QueueStatus: { type: "object" }, ...schemas } },
    paths: {
      [`/${endpoint}/requests/{request_id}/status`]: { get: { responses: { "200": json("QueueStatus") } } },
      [`/${endpoint}/requests/{request_id}/cancel`]: { put: {} },
      [`/${endpoint}`]: { post: { requestBody: json("Input"), responses: { "200": json("QueueStatus") } } },
      [`/${endpoint}/requests/{request_id}`]: { get: { responses: { "200": json("Output") } } },
    },
    servers: [{ url: "https://queue.fal.run" }],
  };
}

const falImage = {
  type: "object",
  title: "Image",
  required: ["url"],
  properties: {
    url: { type: "string", title: "Url" },
    content_type: { type: "string", default: "image/jpeg" },
    width: { type: "integer" },
    height: { type: "integer" },
  },
};

/** A text-to-image endpoint in the manner of `fal-ai/flux/dev`: a size is a name or an object. */
export const falPictures = falDocument({
  endpoint: "fal-ai/pictures/dev",
  category: "text-to-image",
  input: {
    type: "object",
    title: "Input",
    required: ["prompt"],
    "x-fal-order-properties": ["prompt", "image_size", "loras", "num_images"],
    properties: {
      num_images: { type: "integer", minimum: 1, maximum: 4, default: 1, title: "Num Images" },
      prompt: { type: "string", title: "Prompt", minLength: 3, examples: ["a cat"] },
      image_size: {
        anyOf: [
          { $ref: "#/components/schemas/ImageSize" },
          { type: "string", enum: ["square_hd", "landscape_16_9"] },
        ],
        default: "landscape_16_9",
        title: "Image Size",
      },
      loras: { type: "array", items: { $ref: "#/components/schemas/LoraWeight" }, default: [] },
    },
  },
  output: {
    type: "object",
    properties: {
      images: { type: "array", items: { $ref: "#/components/schemas/Image" } },
      seed: { type: "integer" },
    },
  },
  schemas: {
    Image: falImage,
    ImageSize: {
      type: "object",
      properties: {
        width: { type: "integer", maximum: 14142, exclusiveMinimum: 0 },
        height: { type: "integer" },
      },
    },
    LoraWeight: {
      type: "object",
      required: ["path"],
      properties: { path: { type: "string" }, scale: { type: "number", minimum: 0, maximum: 4, default: 1 } },
    },
  },
});

/** Edits pictures, which are URLs without a format; the result has an unusual name. */
export const falEdit = falDocument({
  endpoint: "fal-ai/pictures/edit",
  category: "image-to-image",
  input: {
    type: "object",
    required: ["prompt", "image_urls"],
    "x-fal-order-properties": ["prompt", "image_urls", "aspect_ratio"],
    properties: {
      prompt: { type: "string", title: "Prompt" },
      image_urls: { type: "array", items: { type: "string" }, title: "Image URLs" },
      aspect_ratio: { anyOf: [{ type: "string", enum: ["auto", "1:1"] }, { type: "null" }], default: "auto" },
    },
  },
  output: { type: "object", properties: { edited_picture: { $ref: "#/components/schemas/Image" } } },
  schemas: { Image: falImage },
});

/** Speech whose text field is called `prompt`, with a voice from a list. */
export const falSpeech = falDocument({
  endpoint: "fal-ai/speech/english",
  category: "text-to-speech",
  input: {
    type: "object",
    required: ["prompt"],
    properties: {
      prompt: { type: "string", title: "Prompt", default: "" },
      voice: { type: "string", enum: ["heart", "bella"], title: "Voice" },
    },
  },
  output: {
    type: "object",
    properties: { audio: { type: "object", properties: { url: { type: "string" } } } },
  },
});
