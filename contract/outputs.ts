import { type Static, Type } from "typebox";
import { Maker, makerFilters } from "./accounts/people.ts";
import { Gated } from "./attestations.ts";
import { ApiType } from "./catalog.ts";
import { apiTypes, regionNames } from "./catalog-constants.ts";
import { closed, ListOf, PageQuery } from "./list.ts";
import { MetadataFilter } from "./metadata.ts";
import { Nullable, Timestamp } from "./nullable.ts";
import {
  keepLimits,
  outputKinds,
  provenanceStates,
  unknownReasons,
  validations,
} from "./output-constants.ts";
import { maxReceiptBytes, ReceiptCheck } from "./receipts.ts";

export * from "./output-constants.ts";

/** What a manifest claims, as its signer wrote it. */
export const Claims = Type.Object({
  validation: Type.Enum(validations, {
    description:
      "valid: signed, and unchanged since; the signer is not compared with a list. unreadable: broken, or stored elsewhere",
  }),
  generator: Nullable(Type.String({ description: "the program that made the manifest" })),
  digital_source_type: Nullable(
    Type.String({ description: "an IPTC term, such as …/trainedAlgorithmicMedia" }),
  ),
  actions: Type.Array(Type.String()),
  signed_at: Nullable(Type.String({ description: "by a time-stamp authority, where one was asked" })),
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
  sha256: Nullable(Type.String({ description: "of the file's bytes; null: not known" })),
});
export type Provenance = Static<typeof Provenance>;

/** The address of a file's small picture. */
export const PreviewUrl = Nullable(
  Type.String({
    description:
      "a small WebP of the file, made when it is first read; valid as long as the file. null: its type has none",
  }),
);
/** A label that people give to kept files. */
const Label = Type.String({ minLength: 1, maxLength: keepLimits.labelLength, pattern: "\\S" });

/** The copy of an output in the account's library. */
export const Kept = Type.Object({
  kept_at: Timestamp,
  kept_by: Maker,
  labels: Type.Array(Type.String()),
  prompt: Nullable(
    Type.String({ description: "what the run was asked, shortened; null: not known, or gated" }),
  ),
  api_type: Nullable(ApiType),
  svc_region: Nullable(Type.String()),
});
export type Kept = Static<typeof Kept>;

export const Output = Type.Object({
  id: Type.String(),
  object: Type.Literal("output"),
  run_id: Type.String({ description: "the prediction, or the sync run" }),
  prediction_id: Nullable(Type.String()),
  position: Type.Integer({ description: "among the files of its run, from 1" }),
  model: Type.String(),
  api_type: Nullable(Type.Enum(apiTypes, { description: "null: not known, of earlier releases" })),
  url: Nullable(
    Type.String({ description: "of the kept file, if there is one; null: an attestation is missing" }),
  ),
  preview_url: PreviewUrl,
  gated: Gated,
  content_type: Type.String(),
  size_bytes: Type.Integer(),
  sandbox: Type.Boolean({ description: "true when the sandbox provider made it: no model ran" }),
  provenance: Provenance,
  created_at: Timestamp,
  expires_at: Type.String({
    format: "date-time",
    description: "when the run's own file is removed; a kept one stays",
  }),
  keepable: Type.Boolean({ description: "false where the operator lets nobody keep outputs" }),
  kept: Nullable(Kept),
  kept_until: Nullable(
    Type.String({ format: "date-time", description: "null: not kept, or without an end" }),
  ),
});
export type Output = Static<typeof Output>;

/** An output with everything needed to run it again. */
export const OutputDetail = Type.Interface([Output], {
  input: Nullable(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        "of a kept file: the input and parameters of its run; files in it are copies, at addresses that a run takes. Null: not kept, not known, or gated",
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
          description:
            "from now; null, and for a file that is kept anew without it: as long as the operator allows",
        }),
      ),
    ),
    api_type: Type.Optional(ApiType),
    input: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: "of a sync run, whose input is not stored: what was sent, with `api_type`",
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
        description: "Only of this run, whose files' manifests are read where they were not yet",
      }),
    ),
    kind: Type.Optional(Type.Enum(outputKinds)),
    model: Type.Optional(Type.String()),
    api_type: Type.Optional(Type.Enum(apiTypes)),
    svc_region: Type.Optional(Type.Enum(regionNames)),
    ...makerFilters,
    metadata: Type.Optional(MetadataFilter),
    kept: Type.Optional(
      Type.Boolean({ description: "`true`: the library, also files whose run's own file was removed" }),
    ),
    label: Type.Optional(Type.String({ maxLength: keepLimits.labelLength, description: "with `kept`" })),
    search: Type.Optional(
      Type.String({
        maxLength: keepLimits.searchLength,
        description: "with `kept`: beginnings of words in the prompt",
      }),
    ),
  },
  closed,
);
export type OutputQuery = Static<typeof OutputQuery>;

/** Empty with a multipart body, whose part is the file. */
export const OutputCheckRequest = Type.Object(
  {
    upload: Type.Optional(Type.String({ maxLength: 100, description: "the reference of a verified upload" })),
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
