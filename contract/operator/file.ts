import { type Static, Type } from "typebox";
import { regionNames } from "../catalog-constants.ts";
import { closed } from "../list.ts";
import { Nullable } from "../nullable.ts";

/** A providers file; docs/providers.md describes its keys. */
const FileContent = Type.Record(Type.String(), Type.Unknown());

/** A variable that the file names for a key. */
const FileVariable = Type.Object({
  name: Type.String(),
  provider: Type.String(),
  region: Type.Enum(regionNames),
});

/** The console's configuration in the form of a providers file. */
export const ProvidersFileExport = Type.Object({
  object: Type.Literal("providers_file"),
  file: FileContent,
  /** Variables that the file names and that must be set where it is used: keys are never exported. */
  environment: Type.Array(FileVariable),
  notes: Type.Array(Type.String(), { description: "what is left out, in plain words" }),
});
export type ProvidersFileExport = Static<typeof ProvidersFileExport>;

/** Keys for variables of the file that are not set at the gateway. They are sealed like typed keys. */
const FileKeys = Type.Record(Type.String(), Type.String({ minLength: 1, maxLength: 4_000 }));

export const ProvidersFileImport = Type.Object(
  {
    file: FileContent,
    keys: Type.Optional(FileKeys),
    existing: Type.Optional(
      Type.Enum(["keep", "set"] as const, {
        description:
          "what happens to providers, models and routes that are here already: they stay (`keep`), or become what the file says (`set`). What the file does not name stays in any case",
      }),
    ),
    revision: Type.Optional(
      Type.Integer({ description: "refused with `configuration_changed` if it is not the current one" }),
    ),
    dry_run: Type.Optional(Type.Boolean({ description: "says what would happen and changes nothing" })),
  },
  closed,
);
export type ProvidersFileImport = Static<typeof ProvidersFileImport>;

/**
 * The result for one item that the file names. Values are JSON, the beginning of a long one; keys are never
 * shown.
 */
const FileChange = Type.Object({
  kind: Type.Enum(["provider", "model", "route"] as const),
  name: Type.String(),
  change: Type.Enum(["added", "changed", "unchanged"] as const),
  fields: Type.Array(
    Type.Object({ name: Type.String(), from: Nullable(Type.String()), to: Nullable(Type.String()) }),
    { description: "of a changed one" },
  ),
});
export type FileChange = Static<typeof FileChange>;

/** What an import did, or with `dry_run` would do. */
export const ProvidersFileImported = Type.Object({
  object: Type.Literal("providers_file_import"),
  created: Type.Array(Type.String(), { description: "providers that are new" }),
  kept: Type.Array(Type.String(), {
    description: "providers of these names were there and stay as they are",
  }),
  models: Type.Array(Type.String(), {
    description: "own models that are new, and models of the specification that get a name or an access",
  }),
  models_kept: Type.Array(Type.String(), { description: "models that were there and stay as they are" }),
  routes: Type.Integer({ description: "routes that were added, behind those that were there" }),
  routes_kept: Type.Integer({ description: "routes that were there already, just the same" }),
  missing_keys: Type.Array(FileVariable, {
    description: "variables that are not set at the gateway: set them, or send `keys`",
  }),
  stored_keys: Type.Array(FileVariable, {
    description: "with `set`: the same, but a key is stored here, which stays unless `keys` has another one",
  }),
  changes: Type.Array(FileChange, { description: "with `set`: what becomes of each thing of the file" }),
  revision: Type.Integer({ description: "of the configuration that the file was compared with" }),
  problems: Type.Array(Type.String(), {
    description: "each with its place in the file; with any the import is refused",
  }),
  notes: Type.Array(Type.String(), { description: "warnings, in plain words" }),
});
export type ProvidersFileImported = Static<typeof ProvidersFileImported>;
