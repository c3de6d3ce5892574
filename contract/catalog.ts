import { type Static, Type } from "typebox";
import {
  apiTypes,
  billingUnits,
  executionModes,
  inputModalities,
  modalities,
  regionNames,
  servers,
} from "./catalog-constants.ts";
import { closed, NoQuery, Nullable, Timestamp } from "./list.ts";
import { noBody, type Routes } from "./routes/route.ts";

export * from "./catalog-constants.ts";

export const ApiType = Type.Enum(apiTypes);
export type ApiType = (typeof apiTypes)[number];

/**
 * A JSON Schema, as published in the catalog. Media fields have `x-svc-media: image | audio | video | any`.
 */
export type JsonSchema = { [keyword: string]: unknown };

export const SafetyRequirements = Type.Object({
  adult_attestation_required: Type.Boolean(),
  minimum_age: Nullable(Type.Integer()),
  portrait_rights_attestation_required: Type.Boolean(),
  per_request_person_rights_confirmation_required: Type.Boolean(),
});
export type SafetyRequirements = Static<typeof SafetyRequirements>;

export const Deployment = Type.Object({
  gateway_region: Type.Enum(regionNames),
  status: Type.String({ description: "`healthy`, `degraded` or `unhealthy`" }),
  svc_served_by: Type.Enum(servers, {
    description: "the provider that runs the operation in this region; for the sandbox, no model runs",
  }),
});
export type Deployment = Static<typeof Deployment>;

export const CatalogOperation = Type.Object({
  id: Type.String({ description: "`<model_id>:<api_type>`" }),
  api_type: ApiType,
  billing_unit: Type.Enum(billingUnits),
  execution_mode: Type.Enum(executionModes),
  schema_version: Type.Integer({ minimum: 1 }),
  input_schema: Type.Record(Type.String(), Type.Unknown()),
  output_schema: Type.Record(Type.String(), Type.Unknown()),
  limits: Type.Record(Type.String(), Type.Unknown()),
  example: Type.Record(Type.String(), Type.Unknown()),
  deployments: Type.Array(Deployment),
});
export type CatalogOperation = Static<typeof CatalogOperation>;

const Regions = Type.Array(Type.Enum(regionNames));

export const CatalogModel = Type.Object({
  id: Type.String({ description: "`<namespace>/<model_name>`" }),
  object: Type.Literal("model"),
  created: Type.Integer({ description: "`released_at` in unix seconds, for OpenAI's clients" }),
  owned_by: Type.String(),
  modality: Type.Enum(modalities),
  api_types: Type.Array(ApiType),
  gateway_status: Type.String(),
  available_regions: Regions,
  configured_regions: Regions,
  healthy_regions: Regions,
  gateway_regions: Regions,
  released_regions: Regions,
  released_at: Type.String(),
  latest_release_at: Type.String(),
  region_discovery: Type.String(),
  registry_revision: Type.String(),
  safety_requirements: SafetyRequirements,
  operations: Type.Array(CatalogOperation),
  display_name: Type.Optional(Type.String({ description: "display name, set by an operator" })),
  description: Type.Optional(Type.String({ description: "of an operator's entry" })),
  cover_url: Type.Optional(Type.String({ description: "of an operator's entry" })),
  input_modalities: Type.Optional(
    Type.Array(Type.Enum(inputModalities), {
      description: "kinds of message parts that an operator's chat model reads; only text when absent",
    }),
  ),
  alias_of: Type.Optional(
    Type.Array(Type.String(), {
      description:
        "this entry is an alias for these models, which are tried in this order. All other fields are those of the first model",
    }),
  ),
  context_window_tokens: Type.Optional(Type.Integer()),
  max_gateway_request_bytes: Type.Optional(Type.Integer()),
  max_input_tokens: Type.Optional(Type.Integer()),
  max_output_tokens: Type.Optional(Type.Integer()),
});
export type CatalogModel = Static<typeof CatalogModel>;

const ReplicateVersion = Type.Object({
  id: Type.String({
    description: "value for `version`; it changes with each change of the entry's schemas",
  }),
  created_at: Timestamp,
});

/** Additional fields of an entry that Replicate's clients read. */
export const ReplicateFields = Type.Object({
  owner: Type.String(),
  name: Type.String(),
  visibility: Type.Literal("public"),
  url: Type.String({ description: "the model's page in the console" }),
  cover_image_url: Nullable(Type.String()),
  latest_version: ReplicateVersion,
});

const ReplicateModel = Type.Interface([ReplicateFields], { description: Nullable(Type.String()) });
export type ReplicateModel = Static<typeof ReplicateModel>;

export const CatalogRegistry = Type.Object({
  schema_version: Type.Integer(),
  revision: Type.String(),
  published_at: Timestamp,
  read_mode: Type.String(),
  model_count: Type.Integer(),
  excluded_model_count: Type.Integer(),
  official_model_count: Type.Integer(),
  region_model_relations: Type.Integer(),
  source_region_model_relations: Type.Integer(),
  curation_updated_at: Type.String(),
  source_updated_at: Type.String(),
  window_start: Type.String(),
  window_end: Type.String(),
  sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
});
export type CatalogRegistry = Static<typeof CatalogRegistry>;

export const CatalogList = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(CatalogModel),
  registry: CatalogRegistry,
  results: Type.Array(ReplicateModel, {
    description: "the schemas in the form that Replicate's clients read",
  }),
  next: Type.Null(),
  previous: Type.Null(),
  has_more: Type.Boolean(),
  first_id: Nullable(Type.String()),
  last_id: Nullable(Type.String()),
});
export type CatalogList = Static<typeof CatalogList>;

export const RegionEntry = Type.Object({
  id: Type.Enum(regionNames),
  object: Type.Literal("region"),
  name: Type.String(),
  status: Type.Enum(["healthy", "degraded", "down"]),
  model_count: Type.Integer(),
  api_types: Type.Array(ApiType),
});
export type RegionEntry = Static<typeof RegionEntry>;

export const RegionList = Type.Object({ object: Type.Literal("list"), data: Type.Array(RegionEntry) });
export type RegionList = Static<typeof RegionList>;

const version = { public: true, extension: true, limitedByAddress: true } as const;

const CatalogQuery = Type.Object(
  {
    api_type: Type.Optional(ApiType),
    modality: Type.Optional(Type.Enum(modalities)),
    region: Type.Optional(Type.Enum(regionNames)),
    q: Type.Optional(Type.String({ maxLength: 200 })),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000,
        description: "page size; without it, all entries are in one page",
      }),
    ),
    after_id: Type.Optional(
      Type.String({ maxLength: 200, description: "id of an entry: the page after it" }),
    ),
    before_id: Type.Optional(
      Type.String({ maxLength: 200, description: "id of an entry: the page before it" }),
    ),
    aliases: Type.Optional(Type.Boolean({ description: "`false` leaves out aliases" })),
  },
  closed,
);

const notModified = { 304: noBody("Not modified: the client already has this version") };

export const catalogRoutes = {
  "GET /models": {
    summary: "List the catalog",
    public: true,
    limitedByAddress: true,
    fromBrowser: true,
    query: CatalogQuery,
    answers: { 200: CatalogList },
    otherAnswers: notModified,
  },
  "GET /models/{namespace}/{name}": {
    summary: "Read an entry of the catalog",
    public: true,
    limitedByAddress: true,
    fromBrowser: true,
    matches: "/models/*",
    params: Type.Object({ "*": Type.String({ description: "`<namespace>/<model_name>`" }) }),
    answers: { 200: Type.Interface([CatalogModel, ReplicateFields], {}) },
    otherAnswers: notModified,
  },
  "GET /models/{namespace}/{name}/versions": {
    summary: "List the current version of an entry, in Replicate's shape",
    ...version,
    answers: {
      200: Type.Object({
        results: Type.Array(ReplicateVersion),
        next: Type.Null(),
        previous: Type.Null(),
      }),
    },
  },
  "GET /models/{namespace}/{name}/versions/{version}": {
    summary: "Read the current version of an entry, in Replicate's shape",
    ...version,
    answers: { 200: ReplicateVersion },
  },
  "GET /regions": {
    summary: "List the regions and their health",
    public: true,
    limitedByAddress: true,
    fromBrowser: true,
    query: NoQuery,
    answers: { 200: RegionList },
  },
} as const satisfies Routes;

const run = { permission: "operations:run", idempotent: true } as const;

const runFromPage = { ...run, fromBrowser: true } as const;

/**
 * One route per kind of operation. The entries of the catalog describe the input and output of each
 * operation.
 */
export const operationRoutes = {
  "POST /chat/completions": { summary: "Chat", operation: "chat-completions", ...runFromPage },
  "POST /audio/speech": { summary: "Generate speech", operation: "text-to-speech", ...runFromPage },
  "POST /audio/transcriptions": {
    summary: "Transcribe audio",
    operation: "audio-transcription",
    ...runFromPage,
  },
  "POST /audio/voices": { summary: "Manage enrolled voices", operation: "voice-management", ...runFromPage },
  "POST /images/generations": { summary: "Generate images", operation: "image-generation", ...runFromPage },
  "POST /images/edits": { summary: "Edit images", operation: "image-editing", ...runFromPage },
  "POST /videos": {
    summary: "Generate a video, answered as OpenAI's video resource",
    operation: "video-generation",
    ...run,
  },
  "POST /videos/generations": {
    summary: "Generate a video",
    operation: "video-generation",
    ...runFromPage,
  },
  "POST /embeddings": { summary: "Embed texts", operation: "embeddings", extension: true, ...runFromPage },
  "POST /rerank": {
    summary: "Rank texts by their relevance to a query",
    operation: "rerank",
    extension: true,
    ...runFromPage,
  },
} as const satisfies Routes;

/** Runs any kind of operation, in Replicate's shape. */
export const genericRoutes = {
  "POST /models/{namespace}/{name}/predictions": {
    summary: "Run any operation in Replicate's shape",
    operation: "any",
    extension: true,
    ...runFromPage,
    query: Type.Object({ api_type: Type.Optional(ApiType) }, { additionalProperties: false }),
  },
  "POST /predictions": {
    summary: "Run the model that a version names, in Replicate's shape",
    operation: "any",
    extension: true,
    ...run,
  },
} as const satisfies Routes;
