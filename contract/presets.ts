import { type Static, Type } from "typebox";
import { Maker } from "./accounts/people.ts";
import { ApiType } from "./catalog.ts";
import { ErrorDetail } from "./error.ts";
import { closed, Deleted, ListOf, NoQuery, Nullable, PageQuery, SearchFilter, Timestamp } from "./list.ts";
import { presetFields } from "./preset-constants.ts";
import type { Routes } from "./routes/route.ts";

export * from "./preset-constants.ts";

const PresetName = Type.String(presetFields.name);

const Input = Type.Record(Type.String(), Type.Unknown());

/** A preset in lists, which do not contain its input. */
export const PresetSummary = Type.Object({
  id: Type.String(),
  object: Type.Literal("preset"),
  name: Type.String(),
  model: Type.String(),
  api_type: ApiType,
  schema_version: Type.Integer({
    description: "version of the operation's input schema when the input was saved",
  }),
  current_schema_version: Nullable(
    Type.Integer({
      description:
        "current version of the operation's input schema; null: the operation is no longer offered",
    }),
  ),
  version: Type.Integer({ description: "increases by one with each change" }),
  made_by: Maker,
  /** The last person or key that changed the preset. Null: nobody has since its creation. */
  changed_by: Nullable(Maker),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type PresetSummary = Static<typeof PresetSummary>;

/** A file of this gateway that the input refers to. A preset does not extend the life of a file. */
const PresetMedia = Type.Object({
  path: Type.String({ description: "JSON pointer into the input as saved" }),
  kept_until: Nullable(
    Type.String({
      description: "URL of the file; null: the file was deleted, so `input` does not contain it",
    }),
  ),
});

export const Preset = Type.Interface([PresetSummary], {
  input: Input,
  media: Type.Array(PresetMedia),
  problems: Type.Array(ErrorDetail, {
    description: "faults of the input, if the operation's schema has changed since it was saved",
  }),
});
export type Preset = Static<typeof Preset>;

/** A preset's state between one change and the next. */
export const PresetVersionSummary = Type.Object({
  object: Type.Literal("preset_version"),
  preset_id: Type.String(),
  version: Type.Integer(),
  name: Type.String(),
  schema_version: Type.Integer({
    description: "version of the operation's input schema when the input was saved",
  }),
  changed_by: Maker,
  created_at: Timestamp,
});
export type PresetVersionSummary = Static<typeof PresetVersionSummary>;

export const PresetVersion = Type.Interface([PresetVersionSummary], {
  input: Input,
  media: Type.Array(PresetMedia),
});
export type PresetVersion = Static<typeof PresetVersion>;

/** The current version first. There are few versions, so the list has no pages. */
export const PresetVersionList = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(PresetVersionSummary),
});
export type PresetVersionList = Static<typeof PresetVersionList>;

/** The version of the preset that the caller changed. */
const readVersion = Type.Optional(
  Type.Integer({
    minimum: 1,
    description:
      "version of the preset that the caller read. If somebody has changed the preset since, the answer is 409",
  }),
);

export const PresetRestore = Type.Object({ version: readVersion }, closed);
export type PresetRestore = Static<typeof PresetRestore>;

export const PresetCreate = Type.Object(
  {
    name: PresetName,
    model: Type.String({ minLength: 1, maxLength: 200 }),
    api_type: ApiType,
    input: Input,
  },
  closed,
);
export type PresetCreate = Static<typeof PresetCreate>;

export const PresetUpdate = Type.Object(
  {
    name: Type.Optional(PresetName),
    input: Type.Optional(Input),
    version: readVersion,
  },
  closed,
);
export type PresetUpdate = Static<typeof PresetUpdate>;

export const PresetQuery = Type.Interface(
  [PageQuery],
  {
    search: Type.Optional(SearchFilter),
    model: Type.Optional(Type.String()),
    api_type: Type.Optional(ApiType),
  },
  closed,
);
export type PresetQuery = Static<typeof PresetQuery>;

export const PresetList = ListOf(PresetSummary);

const VersionParams = Type.Object({ id: Type.String(), version: Type.Integer({ minimum: 1 }) });

export const presetRoutes = {
  "GET /presets": {
    summary: "List presets, without their inputs",
    permission: "presets:read",
    extension: true,
    fromBrowser: true,
    query: PresetQuery,
    answers: { 200: PresetList },
  },
  "POST /presets": {
    summary: "Save an input under a name",
    permission: "presets:write",
    extension: true,
    idempotent: true,
    location: "{url}/v1/presets/{id}",
    byClick: true,
    body: PresetCreate,
    answers: { 201: Preset },
  },
  "GET /presets/{id}": {
    summary: "Read a preset, with the parts that no longer match the schema",
    permission: "presets:read",
    extension: true,
    fromBrowser: true,
    answers: { 200: Preset },
  },
  "PATCH /presets/{id}": {
    summary: "Rename a preset, or replace its input",
    permission: "presets:write",
    extension: true,
    byClick: true,
    body: PresetUpdate,
    answers: { 200: Preset },
  },
  "DELETE /presets/{id}": {
    summary: "Delete a preset",
    permission: "presets:write",
    extension: true,
    fromBrowser: true,
    byClick: true,
    answers: { 200: Deleted },
  },
  "GET /presets/{id}/versions": {
    summary: "List the versions of a preset, without their inputs",
    permission: "presets:read",
    extension: true,
    fromBrowser: true,
    query: NoQuery,
    answers: { 200: PresetVersionList },
  },
  "GET /presets/{id}/versions/{version}": {
    summary: "Read an earlier version of a preset",
    permission: "presets:read",
    extension: true,
    params: VersionParams,
    query: NoQuery,
    answers: { 200: PresetVersion },
  },
  "POST /presets/{id}/versions/{version}/restore": {
    summary: "Restore an earlier version of a preset, as a new version",
    permission: "presets:write",
    extension: true,
    byClick: true,
    params: VersionParams,
    body: PresetRestore,
    answers: { 200: Preset },
  },
} as const satisfies Routes;
