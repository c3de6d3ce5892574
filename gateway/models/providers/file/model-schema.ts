import { type Static, Type } from "typebox";
import { regionNames, SafetyRequirements } from "#contract/catalog.ts";
import { modalities } from "#contract/catalog-constants.ts";
import { closed } from "#contract/list.ts";
import {
  InputModalities,
  ModelSettings,
  ModelSource,
  mediaKinds,
  operationFields,
  ownModelId,
} from "#contract/operator/models.ts";

const AnyObject = Type.Record(Type.String(), Type.Unknown());
const Day = Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" });
const Regions = Type.Array(Type.Enum(regionNames), { minItems: 1, uniqueItems: true });
const Count = Type.Optional(Type.Integer({ minimum: 1 }));

const engines = [
  "chat",
  "speech-preset",
  "speech-enrolled",
  "transcription",
  "voices",
  "pictures",
  "edit",
  "swap-face",
  "swap-head",
  "video",
  "video-edit",
  "animate",
  "upscale",
] as const;

const Internal = Type.Object(
  {
    accepts: Type.Optional(Type.Record(Type.String(), AnyObject)),
    media: Type.Optional(Type.Record(Type.String(), Type.Enum(mediaKinds))),
    imported: Type.Optional(Type.Literal(true)),
    output: Type.Optional(Type.String({ maxLength: 200 })),
    regionBound: Type.Optional(Type.Literal(true)),
  },
  closed,
);

const Operation = Type.Object(
  {
    ...operationFields,
    engine: Type.Enum(engines),
    internal: Type.Optional(Internal),
  },
  closed,
);

/** An operator's catalog entry without its id: its current revision (`gateway/models/catalog/entry.ts`). */
const Content = Type.Object(
  {
    modality: Type.Enum(modalities),
    regions: Regions,
    released_regions: Type.Optional(Regions),
    released_at: Day,
    latest_release_at: Day,
    safety_requirements: Type.Object(SafetyRequirements.properties, closed),
    description: Type.Optional(Type.String({ maxLength: 2_000 })),
    cover_url: Type.Optional(Type.String({ pattern: "^https://", maxLength: 2_000 })),
    input_modalities: Type.Optional(InputModalities),
    operations: Type.Array(Operation, { minItems: 1, maxItems: 1 }),
    context_window_tokens: Count,
    max_gateway_request_bytes: Count,
    max_input_tokens: Count,
    max_output_tokens: Count,
  },
  closed,
);

/** An own model with its source, or an operator's settings for a model of the specification. */
export const ModelEntry = Type.Object(
  { ...ModelSettings, source: Type.Optional(ModelSource), entry: Type.Optional(Content) },
  closed,
);
export type ModelEntry = Static<typeof ModelEntry>;

/** The most models in a file. */
const maxModels = 500;

export const ModelEntries = Type.Record(Type.String({ pattern: ownModelId }), ModelEntry, {
  additionalProperties: false,
  maxProperties: maxModels,
});
