import { type Static, Type } from "typebox";
import { regionNames } from "../catalog-constants.ts";
import { closed } from "../list.ts";

/** A providers file; docs/providers.md describes its keys. */
const FileContent = Type.Record(Type.String(), Type.Unknown());

/** A variable that the file names for a key. */
const FileVariable = Type.Object({
  name: Type.String(),
  provider: Type.String(),
  region: Type.Enum(regionNames),
});

/** What the console made, in the form of a providers file. */
export const ProvidersFileExport = Type.Object({
  object: Type.Literal("providers_file"),
  file: FileContent,
  /** Variables that the file names and that must be set where it is used: keys are never exported. */
  environment: Type.Array(FileVariable),
  notes: Type.Array(Type.String(), { description: "what is left out, in plain words" }),
});
export type ProvidersFileExport = Static<typeof ProvidersFileExport>;

/** Keys for variables of the file that are not set at the gateway: they are sealed, as keys that are typed. */
const FileKeys = Type.Record(Type.String(), Type.String({ minLength: 1, maxLength: 4_000 }));

export const ProvidersFileImport = Type.Object(
  {
    file: FileContent,
    keys: Type.Optional(FileKeys),
    dry_run: Type.Optional(Type.Boolean({ description: "says what would happen and changes nothing" })),
  },
  closed,
);
export type ProvidersFileImport = Static<typeof ProvidersFileImport>;

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
  problems: Type.Array(Type.String(), {
    description: "each with its place in the file; with any the import is refused",
  }),
  notes: Type.Array(Type.String(), { description: "warnings, in plain words" }),
});
export type ProvidersFileImported = Static<typeof ProvidersFileImported>;
