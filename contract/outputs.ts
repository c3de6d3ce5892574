import { type Static, Type } from "typebox";
import { Maker, makerFilters } from "./accounts/people.ts";
import { Gated } from "./attestations.ts";
import { ApiType } from "./catalog.ts";
import { apiTypes, regionNames } from "./catalog-constants.ts";
import { closed, Deleted, ListOf, NoQuery, Nullable, PageQuery, Timestamp } from "./list.ts";
import { MetadataFilter } from "./metadata.ts";
import {
  keepLimits,
  outputKinds,
  provenanceStates,
  unknownReasons,
  validations,
} from "./output-constants.ts";
import { maxReceiptBytes, ReceiptCheck } from "./receipts.ts";
import type { Routes } from "./routes/route.ts";

export * from "./output-constants.ts";

/** The claims of a manifest, as its signer wrote them. */
export const Claims = Type.Object({
  validation: Type.Enum(validations, {
    description:
      "valid: the file is signed and unchanged since; the signer is not compared with a list of trusted signers. unreadable: the manifest is broken, or stored outside the file",
  }),
  generator: Nullable(Type.String({ description: "name of the program that made the manifest" })),
  digital_source_type: Nullable(
    Type.String({ description: "an IPTC term, such as …/trainedAlgorithmicMedia" }),
  ),
  actions: Type.Array(Type.String()),
  signed_at: Nullable(Type.String({ description: "time given by a time-stamp authority; null without one" })),
});
export type Claims = Static<typeof Claims>;

const manifestFields = {
  state: Type.Enum(provenanceStates),
  issuer: Nullable(
    Type.String({ description: "the organisation of the signing certificate, as it names itself" }),
  ),
  claims: Nullable(Claims),
  reason: Type.Optional(Type.Enum(unknownReasons, { description: "why the state is unknown" })),
};

/** The manifest read from a file. */
export const Manifest = Type.Object(manifestFields);
export type Manifest = Static<typeof Manifest>;

export const Provenance = Type.Object({
  ...manifestFields,
  sha256: Nullable(Type.String({ description: "SHA-256 of the file's bytes; null: not known" })),
});
export type Provenance = Static<typeof Provenance>;

/** The address of a file's preview. */
export const PreviewUrl = Nullable(
  Type.String({
    description:
      "URL of a small WebP of the file, made when it is first read. It is valid as long as the file's URL. Null: files of this type have no preview",
  }),
);

/** A label that a person gives to kept files. */
const Label = Type.String({ minLength: 1, maxLength: keepLimits.labelLength, pattern: "\\S" });

/** The copy of an output in the account's library. */
export const Kept = Type.Object({
  kept_at: Timestamp,
  kept_by: Maker,
  labels: Type.Array(Type.String()),
  prompt: Nullable(
    Type.String({
      description: "the run's prompt, shortened; null: not known, or an attestation is missing",
    }),
  ),
  api_type: Nullable(ApiType),
  svc_region: Nullable(Type.String()),
});
export type Kept = Static<typeof Kept>;

export const Output = Type.Object({
  id: Type.String(),
  object: Type.Literal("output"),
  run_id: Type.String({ description: "id of the prediction or the sync run" }),
  prediction_id: Nullable(Type.String()),
  position: Type.Integer({ description: "position among the files of the run, counted from 1" }),
  model: Type.String(),
  api_type: Nullable(
    Type.Enum(apiTypes, { description: "null: not known, because an earlier release made the file" }),
  ),
  url: Nullable(
    Type.String({
      description:
        "URL of the kept file, if the output is kept, otherwise of the run's file; null: an attestation is missing",
    }),
  ),
  preview_url: PreviewUrl,
  gated: Gated,
  content_type: Type.String(),
  size_bytes: Type.Integer(),
  prompt: Nullable(
    Type.String({
      description:
        "the run's prompt, shortened; null: not stored, as of a sync run that is not kept, or an attestation is missing",
    }),
  ),
  sandbox: Type.Boolean({ description: "true when the sandbox provider made the output: no model ran" }),
  provenance: Provenance,
  created_at: Timestamp,
  expires_at: Type.String({
    format: "date-time",
    description: "when the run's own file is removed; a kept copy stays",
  }),
  keepable: Type.Boolean({
    description:
      "false when the operator does not allow outputs to be kept, or the account's owner chose a shorter retention",
  }),
  kept: Nullable(Kept),
  kept_until: Nullable(
    Type.String({
      format: "date-time",
      description: "when the kept file is removed; null: not kept, or kept without an end",
    }),
  ),
});
export type Output = Static<typeof Output>;

/** An output with everything that is needed to run it again. */
export const OutputDetail = Type.Interface([Output], {
  input: Nullable(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        "input and parameters of a kept file's run. Files in it are copies, at addresses that a new run accepts. Null: not kept, not known, or an attestation is missing",
    }),
  ),
});
export type OutputDetail = Static<typeof OutputDetail>;

export const KeepRequest = Type.Object(
  {
    labels: Type.Optional(Type.Array(Label, { maxItems: keepLimits.labels })),
    keep_days: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: 1,
          maximum: keepLimits.days,
          description: "days from now. Null, or a newly kept file without it: as long as the operator allows",
        }),
      ),
    ),
    api_type: Type.Optional(ApiType),
    input: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          "the request that was sent, with `api_type`; for a sync run, whose input the gateway does not store",
      }),
    ),
  },
  closed,
);
export type KeepRequest = Static<typeof KeepRequest>;

export const KeptLabels = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(
    Type.Object({
      label: Type.String(),
      count: Type.Integer(),
      newest: Type.Object(
        { content_type: Type.String(), preview_url: PreviewUrl, gated: Gated },
        { description: "the newest file with it" },
      ),
    }),
  ),
});
export type KeptLabels = Static<typeof KeptLabels>;

export const OutputList = ListOf(Output);

export const OutputQuery = Type.Interface(
  [PageQuery],
  {
    prediction_id: Type.Optional(
      Type.String({
        description: "Only outputs of this run. Manifests that the gateway has not read yet are read now",
      }),
    ),
    kind: Type.Optional(Type.Enum(outputKinds)),
    model: Type.Optional(Type.String()),
    api_type: Type.Optional(Type.Enum(apiTypes)),
    svc_region: Type.Optional(Type.Enum(regionNames)),
    ...makerFilters,
    metadata: Type.Optional(MetadataFilter),
    sha256: Type.Optional(
      Type.String({ pattern: "^[0-9a-f]{64}$", description: "Only files with this SHA-256 of their bytes" }),
    ),
    kept: Type.Optional(
      Type.Boolean({ description: "`true`: only kept files, including those whose original was removed" }),
    ),
    label: Type.Optional(
      Type.String({
        maxLength: keepLimits.labelLength,
        description: "only kept files with this label; needs `kept`",
      }),
    ),
    search: Type.Optional(
      Type.String({
        maxLength: keepLimits.searchLength,
        description: "only kept files whose prompt has words that start with these; needs `kept`",
      }),
    ),
  },
  closed,
);
export type OutputQuery = Static<typeof OutputQuery>;

/** The body is empty when the request is multipart, whose part is the file. */
export const OutputCheckRequest = Type.Object(
  {
    upload: Type.Optional(Type.String({ maxLength: 100, description: "reference of a verified upload" })),
    receipt: Type.Optional(
      Type.String({ maxLength: maxReceiptBytes, description: "the text of a receipt, instead of a file" }),
    ),
  },
  closed,
);

/** A run of the account that stored a file with the same bytes. */
export const MadeHere = Type.Object({
  output_id: Type.String(),
  run_id: Type.String(),
  prediction_id: Nullable(Type.String()),
  model: Type.String(),
  created_at: Timestamp,
  file_removed: Type.Boolean(),
});
export type MadeHere = Static<typeof MadeHere>;

export const OutputCheck = Type.Object({
  object: Type.Literal("output.check"),
  content_type: Nullable(Type.String()),
  size_bytes: Type.Integer(),
  provenance: Provenance,
  made_here: Nullable(MadeHere),
  receipt: Nullable(ReceiptCheck),
});
export type OutputCheck = Static<typeof OutputCheck>;

/** The files that runs made, and the copies of them in the library (extensions). */
export const libraryRoutes = {
  "GET /outputs": {
    summary: "List stored or kept output files, with their provenance",
    permission: "predictions:read",
    extension: true,
    fromBrowser: true,
    query: OutputQuery,
    answers: { 200: OutputList },
  },
  "GET /outputs/labels": {
    summary: "List the labels of kept files, most used first",
    permission: "predictions:read",
    extension: true,
    fromBrowser: true,
    query: NoQuery,
    answers: { 200: KeptLabels },
  },
  "GET /outputs/{id}": {
    summary: "Read an output; for a kept one, with the input of its run",
    permission: "predictions:read",
    extension: true,
    fromBrowser: true,
    answers: { 200: OutputDetail },
  },
  "POST /outputs/{id}/keep": {
    summary: "Keep an output in the library, or change its labels and retention",
    permission: "outputs:keep",
    extension: true,
    byClick: true,
    body: KeepRequest,
    answers: { 200: Output },
  },
  "DELETE /outputs/{id}/keep": {
    summary: "Remove an output from the library",
    permission: "outputs:keep",
    extension: true,
    byClick: true,
    answers: { 200: Deleted },
  },
} as const satisfies Routes;

/** Facts about any file (extensions). */
export const outputRoutes = {
  "POST /outputs/verify": {
    summary: "Check a file: read its Content Credentials and find out whether this account made it",
    permission: "predictions:read",
    extension: true,
    fromBrowser: true,
    body: OutputCheckRequest,
    answers: { 200: OutputCheck },
  },
} as const satisfies Routes;
