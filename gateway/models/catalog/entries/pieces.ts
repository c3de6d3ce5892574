import type { JsonSchema, RegionName, SafetyRequirements } from "#contract/catalog.ts";
import type { Entry, EntryOperation, MediaKind } from "../entry.ts";

/** Largest seed that every upstream accepts (2^31 - 1). */
const maxSeed = 2_147_483_647;

export const seed: JsonSchema = {
  type: "integer",
  minimum: 0,
  maximum: maxSeed,
  title: "Seed",
  description: "The same seed and input give the same result.",
};

/** Number of outputs, for operations that make exactly one. */
export const singleOutput: JsonSchema = {
  type: "integer",
  minimum: 1,
  maximum: 1,
  title: "Number of outputs",
  description: "Always 1 for this model.",
};

export function prompt(maxLength: number, minLength = 1): JsonSchema {
  return {
    type: "string",
    ...(minLength > 0 && { minLength }),
    maxLength,
    title: "Prompt",
    description: "What should be made, in plain words.",
  };
}

export function promptExtend(byDefault: boolean): JsonSchema {
  return {
    type: "boolean",
    default: byDefault,
    title: "Extend prompt",
    description: "Let the model add detail to a short prompt.",
  };
}

export function resolution(choices: readonly string[], byDefault?: string): JsonSchema {
  return {
    type: "string",
    enum: [...choices],
    ...(byDefault && { default: byDefault }),
    title: "Resolution",
    description: "Size of the video's short side.",
  };
}

/** Whole seconds in a range. */
export function duration(minimum: number, maximum: number, byDefault?: number): JsonSchema {
  return {
    type: "integer",
    minimum,
    maximum,
    ...(byDefault !== undefined && { default: byDefault }),
    title: "Duration",
    description: `Length in seconds, ${minimum} to ${maximum}.`,
  };
}

/** A length in whole seconds, from a list of choices. */
export function durationChoice(choices: readonly number[], byDefault?: number): JsonSchema {
  return {
    type: "integer",
    enum: [...choices],
    ...(byDefault !== undefined && { default: byDefault }),
    title: "Duration",
    description: "Length in seconds.",
  };
}

export function pixels(title: string, maximum: number, byDefault: number): JsonSchema {
  return {
    type: "integer",
    minimum: 256,
    maximum,
    default: byDefault,
    title,
    description: `In pixels, 256 to ${maximum}.`,
  };
}

export function freeObject(title: string, description: string): JsonSchema {
  return { type: "object", title, description };
}

/**
 * An input schema: `model` must be the entry's id; the fields follow in the order of the form. Unlisted keys
 * stay allowed, as in JSON Schema.
 */
export function inputSchema(
  modelId: string,
  required: readonly string[],
  properties: Record<string, JsonSchema>,
): JsonSchema {
  return {
    type: "object",
    required: ["model", ...required],
    properties: { model: modelField(modelId), ...properties },
  };
}

function modelField(modelId: string): JsonSchema {
  return { type: "string", const: modelId, title: "Model", description: "The identifier of this entry." };
}

const sources = "An upload, an https URL or a data URI.";

/** A string that refers to media: `upload://upl_…`, an https URL or a data URI. */
export function mediaField(
  kind: MediaKind,
  title: string,
  description: string = sources,
  minLength = 1,
): JsonSchema {
  return { type: "string", ...(minLength > 0 && { minLength }), title, description, "x-svc-media": kind };
}

/** A list of media of one kind. */
export function mediaList(
  kind: MediaKind,
  bounds: { minItems?: number; maxItems: number },
  title: string,
  description: string,
): JsonSchema {
  const items: JsonSchema = { type: "string", minLength: 1, "x-svc-media": kind };
  return { type: "array", ...bounds, items, title, description };
}

export const beijing = ["cn-beijing"] as const satisfies RegionName[];

export const beijingAndSingapore = ["cn-beijing", "sg-singapore"] as const satisfies RegionName[];

export const virginia = ["us-virginia"] as const satisfies RegionName[];

/** The optional `region` field: one of the entry's own regions. */
export function regionField(regions: readonly RegionName[]): JsonSchema {
  return {
    type: "string",
    enum: [...regions],
    title: "Region",
    description: "Where it runs. Left out, the gateway picks a healthy region.",
  };
}

export const ungated: SafetyRequirements = {
  adult_attestation_required: false,
  minimum_age: null,
  portrait_rights_attestation_required: false,
  per_request_person_rights_confirmation_required: false,
};

export const adultOnly: SafetyRequirements = {
  ...ungated,
  adult_attestation_required: true,
  minimum_age: 18,
};

/** The specification's rule: 18 if an adult attestation is required, otherwise null. */
export function withMinimumAge(safety: SafetyRequirements): SafetyRequirements {
  return { ...safety, minimum_age: safety.adult_attestation_required ? adultOnly.minimum_age : null };
}

/** All three gates, for operations on pictures of identifiable people. */
export const adultWithPersonRights: SafetyRequirements = {
  ...adultOnly,
  portrait_rights_attestation_required: true,
  per_request_person_rights_confirmation_required: true,
};

const lora: JsonSchema = {
  type: "object",
  title: "LoRA",
  required: ["url", "scale"],
  additionalProperties: false,
  properties: {
    url: { type: "string", minLength: 1, title: "URL", description: "Where the model provider finds it." },
    scale: { type: "number", minimum: 0, maximum: 4, title: "Scale", description: "Strength, 0 to 4." },
  },
};

/**
 * A list of at most three LoRAs. Their URLs are passed to the provider as text; the gateway never fetches
 * them.
 */
export function loras(title: string, description: string): JsonSchema {
  return { type: "array", default: [], maxItems: 3, items: lora, title, description };
}

const described = (title: string, description: string): JsonSchema => ({
  type: "string",
  title,
  description,
});

export const voiceAction: JsonSchema = {
  type: "string",
  enum: ["create", "list", "query", "delete"],
  title: "Action",
  description: "Enrol a voice, list all, look at one or delete one.",
};

export const voiceId = described("Voice", "The identifier of a voice, for query and delete.");

export const pageSize: JsonSchema = {
  type: "integer",
  minimum: 1,
  maximum: 100,
  title: "Page size",
  description: "Voices per page, for list.",
};

export const pageIndex: JsonSchema = {
  type: "integer",
  minimum: 0,
  maximum: 10_000,
  title: "Page",
  description: "Counted from 0, for list.",
};

export const targetModel: JsonSchema = {
  ...described("Target model", "The speech model that will use the voice."),
  minLength: 1,
};

/** Clients write null for "not set". */
const optional = (type: string, bounds: JsonSchema = {}): JsonSchema => ({ type: [type, "null"], ...bounds });

/**
 * OpenAI's chat parameters that the published chat schemas do not list. Unmodified clients send them, so they are
 * accepted and forwarded.
 */
export const chatExtras: Record<string, JsonSchema> = {
  stream: optional("boolean"),
  stream_options: optional("object"),
  max_tokens: optional("integer", { minimum: 1 }),
  max_completion_tokens: optional("integer", { minimum: 1 }),
  temperature: optional("number", { minimum: 0, maximum: 2 }),
  top_p: optional("number", { minimum: 0, maximum: 1 }),
  reasoning_effort: optional("string"),
  stop: { type: ["string", "array", "null"] },
  seed: optional("integer"),
  n: optional("integer", { minimum: 1 }),
  presence_penalty: optional("number", { minimum: -2, maximum: 2 }),
  frequency_penalty: optional("number", { minimum: -2, maximum: 2 }),
  logit_bias: optional("object"),
  tools: optional("array", { items: { type: "object" } }),
  tool_choice: { type: ["string", "object", "null"] },
  parallel_tool_calls: optional("boolean"),
  response_format: optional("object"),
  logprobs: optional("boolean"),
  top_logprobs: optional("integer", { minimum: 0, maximum: 20 }),
  top_k: optional("integer", { minimum: 0 }),
  min_p: optional("number", { minimum: 0, maximum: 1 }),
  repetition_penalty: optional("number"),
  verbosity: optional("string"),
  service_tier: optional("string"),
  thinking: optional("object"),
  prediction: optional("object"),
  prompt_cache_key: optional("string"),
  prompt_cache_retention: optional("string"),
  safety_identifier: optional("string"),
  store: optional("boolean"),
  user: optional("string"),
};

const text: JsonSchema = { type: "string" };

function outputObject(properties: Record<string, JsonSchema>, required: string[]): JsonSchema {
  return { type: "object", required, properties };
}

export const speechOutput: JsonSchema = { type: "string", contentMediaType: "audio/wav" };

/** The answer of every async operation: the prediction to poll. */
export const predictionOutput = outputObject(
  { id: text, model: text, status: text, poll_url: { type: "string", format: "uri" }, svc_region: text },
  ["id", "model", "status", "poll_url", "svc_region"],
);

export const transcriptionOutput = outputObject({ id: text, model: text, text, svc_region: text }, [
  "id",
  "model",
  "text",
  "svc_region",
]);

export const imagesOutput = outputObject(
  { id: text, model: text, data: { type: "array", items: { type: "object" } }, svc_region: text },
  ["id", "model", "data", "svc_region"],
);

export const voicesOutput = outputObject(
  { action: text, data: { type: "object" }, model: text, svc_region: text },
  ["action", "data", "model", "svc_region"],
);

export const embeddingsOutput = outputObject(
  {
    id: text,
    object: text,
    model: text,
    data: { type: "array", items: { type: "object" } },
    usage: { type: "object" },
    svc_region: text,
  },
  ["object", "model", "data", "usage", "svc_region"],
);

export const rankingOutput = outputObject(
  { id: text, model: text, results: { type: "array", items: { type: "object" } }, svc_region: text },
  ["id", "model", "results", "svc_region"],
);

export const chatOutput = outputObject(
  { id: text, model: text, choices: { type: "array", items: { type: "object" } }, usage: { type: "object" } },
  ["id", "model", "choices", "usage"],
);

type Gated = Pick<Entry, "id" | "modality" | "released_at" | "latest_release_at"> &
  Pick<EntryOperation, "api_type" | "engine" | "input_schema" | "limits" | "example">;

/**
 * An adult-gated entry with one async operation in us-virginia. Video is billed by the second, anything else
 * per output.
 */
export function adultEntry(options: Gated): Entry {
  const { id, modality, released_at, latest_release_at, ...operation } = options;
  return {
    id,
    modality,
    regions: virginia,
    released_at,
    latest_release_at,
    safety_requirements: adultOnly,
    operations: [
      {
        ...operation,
        billing_unit: modality === "video" ? "second" : "generation",
        execution_mode: "async",
        schema_version: 1,
        output_schema: predictionOutput,
      },
    ],
  };
}
