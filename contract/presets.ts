import { type Static, Type } from "typebox";
import { Maker } from "./accounts/people.ts";
import { ApiType } from "./catalog.ts";
import { ErrorDetail } from "./error.ts";
import { closed, ListOf, PageQuery, SearchFilter } from "./list.ts";
import { Nullable, Timestamp } from "./nullable.ts";
import { presetFields } from "./preset-constants.ts";

export * from "./preset-constants.ts";

const PresetName = Type.String(presetFields.name);
const Input = Type.Record(Type.String(), Type.Unknown());

/** A preset as lists have it: without its input. */
export const PresetSummary = Type.Object({
  id: Type.String(),
  object: Type.Literal("preset"),
  name: Type.String(),
  model: Type.String(),
  api_type: ApiType,
  schema_version: Type.Integer({ description: "of the operation, when the input was saved" }),
  current_schema_version: Nullable(
    Type.Integer({ description: "of the operation now; null: it is no longer offered" }),
  ),
  version: Type.Integer({ description: "goes up by one with each change" }),
  made_by: Maker,
  /** The last person or key that changed it; null: unchanged since its creation. */
  changed_by: Nullable(Maker),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type PresetSummary = Static<typeof PresetSummary>;

/** A file of this gateway that the input named. It is never kept longer by the preset. */
const PresetMedia = Type.Object({
  path: Type.String({ description: "JSON pointer into the input, as it was saved" }),
  kept_until: Nullable(Type.String({ description: "null: it was deleted and is not in `input`" })),
});

export const Preset = Type.Interface([PresetSummary], {
  input: Input,
  media: Type.Array(PresetMedia),
  problems: Type.Array(ErrorDetail, {
    description: "what no longer fits, when the operation's schema has changed since",
  }),
});
export type Preset = Static<typeof Preset>;

/** A preset as it was from one change to the next. */
export const PresetVersionSummary = Type.Object({
  object: Type.Literal("preset_version"),
  preset_id: Type.String(),
  version: Type.Integer(),
  name: Type.String(),
  schema_version: Type.Integer({ description: "of the operation, when the input was saved" }),
  changed_by: Maker,
  created_at: Timestamp,
});
export type PresetVersionSummary = Static<typeof PresetVersionSummary>;

export const PresetVersion = Type.Interface([PresetVersionSummary], {
  input: Input,
  media: Type.Array(PresetMedia),
});
export type PresetVersion = Static<typeof PresetVersion>;

/** The current version first. They are few, so there are no pages. */
export const PresetVersionList = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(PresetVersionSummary),
});
export type PresetVersionList = Static<typeof PresetVersionList>;

/** The version of the preset that the caller changed. */
const readVersion = Type.Optional(
  Type.Integer({
    minimum: 1,
    description: "of the preset that was read: if somebody has changed it since, the answer is 409",
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
