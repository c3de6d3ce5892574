import { type Static, Type } from "typebox";
import { regionNames } from "./catalog-constants.ts";
import { closed } from "./list.ts";

/** A providers file; docs/providers.md describes its keys. */
const FileContent = Type.Record(Type.String(), Type.Unknown());

/** What the console made, in the form of a providers file. */
export const ProvidersFileExport = Type.Object({
  object: Type.Literal("providers_file"),
  file: FileContent,
  /** Variables that the file names and that must be set where it is used: keys are never exported. */
  environment: Type.Array(
    Type.Object({ name: Type.String(), provider: Type.String(), region: Type.Enum(regionNames) }),
  ),
});
export type ProvidersFileExport = Static<typeof ProvidersFileExport>;

export const ProvidersFileImport = Type.Object({ file: FileContent }, closed);
export type ProvidersFileImport = Static<typeof ProvidersFileImport>;

export const ProvidersFileImported = Type.Object({
  object: Type.Literal("providers_file_import"),
  created: Type.Array(Type.String(), { description: "providers that are new" }),
  kept: Type.Array(Type.String(), {
    description: "providers of these names were there and stay as they are",
  }),
  routes: Type.Integer({ description: "routes that were added, behind those that were there" }),
});
export type ProvidersFileImported = Static<typeof ProvidersFileImported>;
