import { type Static, Type } from "typebox";
import { regionNames } from "../catalog-constants.ts";
import { closed, NoQuery, Nullable } from "../list.ts";
import type { Routes } from "../routes/route.ts";
import { proposalLimits, proposalSources, providerFields } from "./constants.ts";

/** A providers file; docs/providers-file.md describes its keys. */
const FileContent = Type.Record(Type.String(), Type.Unknown());

/** A variable that the file names as the source of a key. */
const FileVariable = Type.Object({
  name: Type.String(),
  provider: Type.String(),
  region: Type.Enum(regionNames),
});

/** The console's configuration in the form of a providers file. */
export const ProvidersFileExport = Type.Object({
  object: Type.Literal("providers_file"),
  file: FileContent,
  /** Variables that the file names and that the importing installation must set. Keys are never exported. */
  environment: Type.Array(FileVariable),
  notes: Type.Array(Type.String(), { description: "sentences that say what the file leaves out" }),
});
export type ProvidersFileExport = Static<typeof ProvidersFileExport>;

/**
 * Keys for variables of the file that the gateway does not have set. The gateway encrypts them like typed
 * keys.
 */
const FileKeys = Type.Record(Type.String(), Type.String(providerFields.key));

export const ProvidersFileImport = Type.Object(
  {
    file: FileContent,
    keys: Type.Optional(FileKeys),
    existing: Type.Optional(
      Type.Enum(["keep", "set"] as const, {
        description:
          "how to treat existing items of the file (providers, models, routes, aliases, prices): leave them unchanged (`keep`), or change them to match the file (`set`). Items that the file does not name always stay",
      }),
    ),
    revision: Type.Optional(
      Type.Integer({
        description:
          "revision of the configuration that the caller read; refused with `configuration_changed` if it is not the current one",
      }),
    ),
    dry_run: Type.Optional(Type.Boolean({ description: "true: only report what would happen" })),
  },
  closed,
);
export type ProvidersFileImport = Static<typeof ProvidersFileImport>;

/** The result for one item of the file. Values are JSON, shortened if long. Keys are never shown. */
const FileChange = Type.Object({
  kind: Type.Enum(["provider", "model", "route", "alias", "price"] as const),
  name: Type.String(),
  change: Type.Enum(["added", "changed", "unchanged"] as const),
  fields: Type.Array(
    Type.Object({ name: Type.String(), from: Nullable(Type.String()), to: Nullable(Type.String()) }),
    { description: "changed fields of a changed item" },
  ),
});
export type FileChange = Static<typeof FileChange>;

/** The result of an import. With `dry_run`, the result that it would have. */
export const ProvidersFileImported = Type.Object({
  object: Type.Literal("providers_file_import"),
  created: Type.Array(Type.String(), { description: "new providers" }),
  kept: Type.Array(Type.String(), {
    description: "providers with these names already existed and were not changed",
  }),
  models: Type.Array(Type.String(), {
    description:
      "new models of the operator, and models of the specification that got a new name or access rule",
  }),
  models_kept: Type.Array(Type.String(), { description: "models that already existed and were not changed" }),
  routes: Type.Integer({ description: "routes that were added after the existing ones" }),
  routes_kept: Type.Integer({ description: "routes of the file that already existed" }),
  aliases: Type.Array(Type.String(), { description: "new aliases for everyone" }),
  aliases_kept: Type.Array(Type.String(), {
    description: "aliases that already existed and were not changed",
  }),
  prices: Type.Integer({ description: "prices of models that had none" }),
  prices_kept: Type.Integer({ description: "prices of the file that stay as they are here" }),
  missing_keys: Type.Array(FileVariable, {
    description: "variables that the gateway does not have: set them, or send `keys`",
  }),
  stored_keys: Type.Array(FileVariable, {
    description:
      "with `set`: variables that the gateway does not have, but whose provider has a stored key. That key stays unless `keys` contains another one",
  }),
  changes: Type.Array(FileChange, { description: "with `set`: the result for each item of the file" }),
  revision: Type.Integer({ description: "revision of the configuration with which the file was compared" }),
  problems: Type.Array(Type.String(), {
    description: "faults, each with its place in the file. A file with faults is refused",
  }),
  notes: Type.Array(Type.String(), { description: "warnings, as sentences" }),
});
export type ProvidersFileImported = Static<typeof ProvidersFileImported>;

export const FileProposalCreate = Type.Object(
  {
    from: Type.Enum(proposalSources),
    text: Type.Optional(
      Type.String({
        maxLength: proposalLimits.textBytes,
        description: "LiteLLM: the content of `config.yaml`",
      }),
    ),
    key: Type.Optional(
      Type.String({
        ...providerFields.key,
        description:
          "OpenRouter, Replicate: the key whose models are listed. It is not stored and not answered",
      }),
    ),
    search: Type.Optional(Type.String({ maxLength: 200, description: "words of the models to list" })),
    models: Type.Optional(
      Type.Array(Type.String(providerFields.upstreamModel), {
        maxItems: proposalLimits.models,
        uniqueItems: true,
        description: "the provider's names of the models that the file shall have, with their forms",
      }),
    ),
    base_url: Type.Optional(
      Type.String({ ...providerFields.address, description: "another address of the provider" }),
    ),
    allow_private: Type.Optional(
      Type.Boolean({ description: "true: `base_url` may be private or plain http" }),
    ),
  },
  closed,
);
export type FileProposalCreate = Static<typeof FileProposalCreate>;

/** A setting or model that is left out of the proposed file, or that differs in it. */
const ProposalFinding = Type.Object({ place: Type.String(), reason: Type.String(), todo: Type.String() });

export const FileProposal = Type.Object({
  object: Type.Literal("providers_file_proposal"),
  file: FileContent,
  findings: Type.Array(ProposalFinding),
  calls: Type.Array(
    Type.Object({
      method: Type.Enum(["PATCH", "POST"] as const),
      path: Type.String(),
      body: Type.Record(Type.String(), Type.Unknown()),
    }),
    { description: "requests that set limits and budgets in an account, for which a file has no place" },
  ),
  listed: Type.Array(Type.Object({ id: Type.String(), description: Nullable(Type.String()) }), {
    description: "models that the key can run, by the provider's names",
  }),
  has_more: Type.Boolean({ description: "true when more models match: search for other words" }),
});
export type FileProposal = Static<typeof FileProposal>;

export const operatorFileRoutes = {
  "GET /operator/file": {
    summary: "Export providers, models, routes, aliases and prices as a providers file, without keys",
    operator: true,
    extension: true,
    byClick: true,
    query: NoQuery,
    answers: { 200: ProvidersFileExport },
  },
  "POST /operator/file": {
    summary: "Import a providers file into the console",
    operator: true,
    extension: true,
    byClick: true,
    body: ProvidersFileImport,
    answers: { 200: ProvidersFileImported },
  },
  "POST /operator/file/proposal": {
    summary: "Propose a providers file from LiteLLM's configuration, or from the models that a key can run",
    operator: true,
    extension: true,
    byClick: true,
    body: FileProposalCreate,
    answers: { 200: FileProposal },
  },
} as const satisfies Routes;
