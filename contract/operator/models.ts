import { type Static, Type } from "typebox";
import { ApiType, SafetyRequirements } from "../catalog.ts";
import {
  apiTypes,
  billingUnits,
  executionModes,
  inputModalities,
  modalities,
  regionNames,
} from "../catalog-constants.ts";
import { closed, NoQuery, Nullable, Timestamp } from "../list.ts";
import type { Routes } from "../routes/route.ts";
import { modelFields, ownModelId, providerFields } from "./constants.ts";
import { RouteEntry } from "./routes.ts";

export const mediaKinds = ["image", "audio", "video", "any"] as const;

const AnyObject = Type.Record(Type.String(), Type.Unknown());

const Id = Type.String({ pattern: ownModelId, maxLength: 190 });

/**
 * Media fields by their path in the body, with `*` for each item of a list: `{"image": "image", "frames/*":
 * "image"}`.
 */
export const MediaFields = Type.Record(Type.String({ maxLength: 200 }), Type.Enum(mediaKinds));

/**
 * How the gateway reads the operation's input, in addition to its schema. An import proposes these values;
 * the operator can change them.
 */
export const FieldRoles = Type.Object(
  {
    prompt: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 200,
          description:
            "The field with the text: `prompt`, or `input` for speech. For an import: the upstream's name of this field",
        }),
      ),
    ),
    media: Type.Optional(MediaFields),
    output: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 200,
          description:
            "The field of the upstream's result that contains the files, e.g. `images`; null: the usual fields are searched",
        }),
      ),
    ),
  },
  closed,
);
export type FieldRoles = Static<typeof FieldRoles>;

/** Always includes `text`. */
export const InputModalities = Type.Array(Type.Enum(inputModalities), {
  minItems: 1,
  uniqueItems: true,
  contains: { const: "text" },
  description: "Kinds of message parts that the chat model reads",
});

/** Settings of an operator's entry. */
const settable = {
  input_modalities: Type.Optional(InputModalities),
  billing_unit: Type.Optional(Type.Enum(billingUnits)),
  execution_mode: Type.Optional(Type.Enum(executionModes)),
  input_schema: Type.Optional(AnyObject),
  limits: Type.Optional(AnyObject),
  example: Type.Optional(AnyObject),
  fields: Type.Optional(FieldRoles),
  regions: Type.Optional(Type.Array(Type.Enum(regionNames), { minItems: 1, uniqueItems: true })),
  safety_requirements: Type.Optional(Type.Partial(SafetyRequirements, closed)),
  description: Type.Optional(Nullable(Type.String(modelFields.description))),
  cover_url: Type.Optional(Nullable(Type.String({ pattern: "^https://", maxLength: 2_000 }))),
};

/** Settings of every entry, also of the specification's. */
export const ModelSettings = {
  /** The display name. Null: the id is shown. */
  display_name: Type.Optional(Nullable(Type.String(modelFields.display_name))),
  /** The entry is left out of the catalog's lists. Callers who know its id can still run it. */
  hidden: Type.Optional(Type.Boolean()),
  /** The accounts that can see and use the entry. Null: all accounts. */
  accounts: Type.Optional(Nullable(Type.Array(Type.String(), { maxItems: 1_000, uniqueItems: true }))),
};

const Template = Type.Object({ model: Type.String(), api_type: ApiType }, closed);

const Import = Type.Object(
  {
    provider: Type.String({ description: "The name or id of a provider" }),
    name: Type.String({
      ...providerFields.upstreamModel,
      description:
        "The provider's name for the model: `owner/name[:version]`, `fal-ai/flux/dev`, `gpt-5-mini`",
    }),
    api_type: Type.Optional(Type.Enum(apiTypes, { description: "The kind, if the proposed kind is wrong" })),
    thinks_silently: RouteEntry.properties.thinks_silently,
    accepts_prefill: RouteEntry.properties.accepts_prefill,
  },
  closed,
);

/** A route in the form that the table of routes has. Its model and operation are those of the entry. */
const EntryRoute = Type.Omit(RouteEntry, ["models", "api_types", "next_after_500"], closed);

/** Exactly one of `template` and `import`. */
export const OperatorModelCreate = Type.Object(
  {
    id: Id,
    template: Type.Optional(Template),
    import: Type.Optional(Import),
    /** Another name for `display_name`. */
    title: Type.Optional(Type.String(modelFields.display_name)),
    routes: Type.Optional(Type.Array(EntryRoute, { maxItems: 50 })),
    dry_run: Type.Optional(
      Type.Boolean({ description: "true: answer 200 with the proposal and save nothing" }),
    ),
    ...settable,
    ...ModelSettings,
  },
  closed,
);
export type OperatorModelCreate = Static<typeof OperatorModelCreate>;

/** Entries of the specification accept only `display_name`, `hidden` and `accounts`. */
export const OperatorModelUpdate = Type.Object(
  { ...settable, ...ModelSettings },
  { ...closed, minProperties: 1 },
);
export type OperatorModelUpdate = Static<typeof OperatorModelUpdate>;

/** Where an entry comes from. */
export const ModelSource = Type.Union([
  Type.Object({ kind: Type.Literal("template"), model: Type.String(), api_type: ApiType }, closed),
  Type.Object({ kind: Type.Literal("import"), provider: Type.String(), name: Type.String() }, closed),
]);
export type ModelSource = Static<typeof ModelSource>;

/** An operation of an entry, in the API and in a providers file. */
export const operationFields = {
  api_type: ApiType,
  billing_unit: Type.Enum(billingUnits),
  execution_mode: Type.Enum(executionModes),
  schema_version: Type.Integer({ minimum: 1 }),
  input_schema: AnyObject,
  output_schema: AnyObject,
  limits: AnyObject,
  example: AnyObject,
};

const Operation = Type.Object({
  ...operationFields,
  fields: Type.Object({
    prompt: Nullable(Type.String()),
    media: MediaFields,
    output: Nullable(Type.String()),
  }),
});

/** The settings that a revision of an entry stores. */
const content = {
  source: Nullable(ModelSource),
  modality: Type.Enum(modalities),
  regions: Type.Array(Type.Enum(regionNames)),
  safety_requirements: SafetyRequirements,
  description: Nullable(Type.String()),
  cover_url: Nullable(Type.String()),
  /** Null if the operation is not a chat. */
  input_modalities: Nullable(InputModalities),
  /** Always one operation for an operator's entry. */
  operations: Type.Array(Operation),
};

export const OperatorModel = Type.Object({
  id: Type.String(),
  object: Type.Literal("operator.model"),
  managed_by: Type.Enum(["specification", "operator"] as const),
  /** `leaving`: the entry accepts no new runs and is removed with its last running prediction. */
  state: Type.Enum(["active", "leaving"] as const),
  running_predictions: Type.Integer(),
  /** Null for entries of the specification. */
  revision: Nullable(Type.Integer()),
  display_name: Nullable(Type.String()),
  hidden: Type.Boolean(),
  accounts: Nullable(Type.Array(Type.String())),
  created_at: Nullable(Timestamp),
  updated_at: Nullable(Timestamp),
  ...content,
});
export type OperatorModel = Static<typeof OperatorModel>;

export const OperatorModelQuery = Type.Object(
  {
    q: Type.Optional(Type.String({ maxLength: 200 })),
    managed_by: Type.Optional(Type.Enum(["specification", "operator"] as const)),
  },
  closed,
);

/**
 * Operators' entries first, newest first, then the specification's in its order. All entries are in one
 * answer.
 */
export const OperatorModelList = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(OperatorModel),
});
export type OperatorModelList = Static<typeof OperatorModelList>;

/** The answer of a dry run. */
export const OperatorModelProposal = Type.Object({
  object: Type.Literal("operator.model_proposal"),
  model: OperatorModel,
  /** The route that the entry would get, with the upstream's names of renamed fields. */
  routes: Type.Array(
    Type.Object({
      provider: Type.String(),
      upstream_model: Type.String(),
      /** Maps the entry's field names to the upstream's. */
      rename: Type.Record(Type.String(), Type.String()),
    }),
  ),
  /** Assumptions that the operator should check, as sentences. */
  notes: Type.Array(Type.String()),
});
export type OperatorModelProposal = Static<typeof OperatorModelProposal>;

export const OperatorModelRevision = Type.Object({
  object: Type.Literal("operator.model_revision"),
  model: Type.String(),
  revision: Type.Integer(),
  current: Type.Boolean(),
  /** The number of running predictions that were accepted with this revision. */
  running_predictions: Type.Integer(),
  /** The operator who made the revision. Null: the command line. */
  made_by: Nullable(Type.String({ description: "name of the operator" })),
  created_at: Timestamp,
  ...content,
});
export type OperatorModelRevision = Static<typeof OperatorModelRevision>;

/** Revisions, newest first. */
export const OperatorModelRevisionList = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(OperatorModelRevision),
});
export type OperatorModelRevisionList = Static<typeof OperatorModelRevisionList>;

/** Status 200 when the entry is removed, 202 while predictions still run. */
export const OperatorModelDeleted = Type.Object({
  id: Type.String(),
  object: Type.Literal("operator.model"),
  deleted: Type.Boolean(),
  running_predictions: Type.Integer(),
});
export type OperatorModelDeleted = Static<typeof OperatorModelDeleted>;

const name = { namespace: Type.String(), name: Type.String() };

const Params = Type.Object(name);

const RevisionParams = Type.Object({ ...name, revision: Type.Integer({ minimum: 1 }) });

export const operatorModelRoutes = {
  "GET /operator/models": {
    summary: "List all entries of the catalog with the operators' settings",
    operator: true,
    extension: true,
    query: OperatorModelQuery,
    answers: { 200: OperatorModelList },
  },
  "POST /operator/models": {
    summary: "Add an entry from a template, or import a model; with `dry_run`, only show the entry",
    operator: true,
    extension: true,
    idempotent: true,
    location: "/v1/operator/models/{id}",
    body: OperatorModelCreate,
    answers: { 200: OperatorModelProposal, 201: OperatorModel },
  },
  "GET /operator/models/{namespace}/{name}": {
    summary: "Read an entry with the operators' settings",
    operator: true,
    extension: true,
    params: Params,
    query: NoQuery,
    answers: { 200: OperatorModel },
  },
  "PATCH /operator/models/{namespace}/{name}": {
    summary: "Change an entry; for one of the specification, only its name and visibility",
    operator: true,
    extension: true,
    byClick: true,
    params: Params,
    body: OperatorModelUpdate,
    answers: { 200: OperatorModel },
  },
  "DELETE /operator/models/{namespace}/{name}": {
    summary: "Remove an operator's entry from the catalog",
    operator: true,
    extension: true,
    byClick: true,
    params: Params,
    answers: { 200: OperatorModelDeleted, 202: OperatorModelDeleted },
  },
  "GET /operator/models/{namespace}/{name}/revisions": {
    summary: "List the revisions of an entry",
    operator: true,
    extension: true,
    params: Params,
    query: NoQuery,
    answers: { 200: OperatorModelRevisionList },
  },
  "POST /operator/models/{namespace}/{name}/revisions/{revision}/restore": {
    summary: "Restore an earlier revision of an entry, as a new revision",
    operator: true,
    extension: true,
    idempotent: true,
    byClick: true,
    params: RevisionParams,
    answers: { 200: OperatorModel },
  },
} as const satisfies Routes;
