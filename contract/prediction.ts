import { type Static, Type } from "typebox";
import { Maker, makerFilters } from "./accounts/people.ts";
import { Gated } from "./attestations.ts";
import { apiTypes, billingUnits, regionNames } from "./catalog-constants.ts";
import { closed, ListOf, PageQuery, SearchFilter } from "./list.ts";
import { pageLimit } from "./list-constants.ts";
import { Metadata, MetadataFilter } from "./metadata.ts";
import { Cost } from "./money/cost.ts";
import { Nullable, Timestamp } from "./nullable.ts";
import { PreviewUrl, Provenance } from "./outputs.ts";
import { predictionStatuses } from "./prediction-constants.ts";
import { deliveryStatuses } from "./webhook-constants.ts";

export * from "./prediction-constants.ts";

export const TimelineEvent = Type.Object({
  at: Timestamp,
  event: Type.String(),
  detail: Nullable(Type.Record(Type.String(), Type.Unknown())),
});
export type TimelineEvent = Static<typeof TimelineEvent>;

export const OutputFile = Type.Object({
  url: Nullable(Type.String({ description: "null: an attestation is missing" })),
  preview_url: PreviewUrl,
  gated: Gated,
  content_type: Type.String(),
  size_bytes: Type.Integer(),
  width: Nullable(Type.Integer()),
  height: Nullable(Type.Integer()),
  duration: Nullable(Type.Number({ description: "seconds" })),
  provenance: Type.Optional(Provenance),
});
export type OutputFile = Static<typeof OutputFile>;

export const Prediction = Type.Object({
  id: Type.String(),
  object: Type.Literal("prediction"),
  model: Type.String(),
  api_type: Type.Enum(apiTypes),
  status: Type.String(),
  poll_url: Type.String(),
  svc_region: Type.String(),
  urls: Type.Object({ get: Type.String(), cancel: Type.String() }),
  input: Nullable(
    Type.Record(Type.String(), Type.Unknown(), {
      description: "null: the input was removed, or an attestation is missing",
    }),
  ),
  output: Nullable(
    Type.Union([Type.String(), Type.Array(Type.String())], {
      description: "null: no output, removed, or an attestation is missing",
    }),
  ),
  gated: Gated,
  data: Nullable(Type.Array(OutputFile)),
  error: Nullable(Type.Object({ code: Type.String(), message: Type.String(), type: Type.String() })),
  metrics: Type.Object({
    queue_time: Nullable(Type.Number({ description: "seconds" })),
    predict_time: Nullable(Type.Number({ description: "seconds" })),
    total_time: Nullable(Type.Number({ description: "seconds" })),
  }),
  usage: Nullable(Type.Object({ unit: Type.Enum(billingUnits), quantity: Type.Number() })),
  cost: Nullable(Cost),
  progress: Nullable(Type.Integer({ minimum: 0, maximum: 100 })),
  created_at: Timestamp,
  started_at: Nullable(Timestamp),
  completed_at: Nullable(Timestamp),
  expires_at: Nullable(Timestamp),
  data_removed: Type.Boolean(),
  request_id: Nullable(Type.String()),
  alias: Type.Optional(Type.String({ description: "the alias that the request named, if any" })),
  metadata: Nullable(Metadata),
  made_by: Type.Optional(Maker),
  notes: Type.Optional(Type.Integer({ description: "number of notes; only in lists" })),
  delivery_status: Type.Optional(
    Nullable(
      Type.Enum(deliveryStatuses, {
        description:
          "worst status among the prediction's webhook deliveries, without those that somebody retried; null: no deliveries. Only in lists with `view=summary`, for callers that may read deliveries",
      }),
    ),
  ),
  sandbox: Type.Boolean({ description: "true when the sandbox provider made the output: no model ran" }),
  timeline: Type.Array(TimelineEvent),
});
export type Prediction = Static<typeof Prediction>;

const PageUrl = Type.Optional(Nullable(Type.String({ description: "URL of the next or previous page" })));

/**
 * Without `limit`, which Replicate's clients never send, the answer also has the fields that those clients
 * read.
 */
export const PredictionList = Type.Interface([ListOf(Prediction)], {
  results: Type.Optional(Type.Array(Prediction)),
  next: PageUrl,
  previous: PageUrl,
});
export type PredictionList = Static<typeof PredictionList>;

export const PredictionQuery = Type.Interface(
  [PageQuery],
  {
    limit: Type.Optional(
      Type.Integer({
        minimum: pageLimit.min,
        maximum: pageLimit.max,
        description: `${pageLimit.default} by default`,
      }),
    ),
    search: Type.Optional(SearchFilter),
    status: Type.Optional(Type.Enum(predictionStatuses)),
    model: Type.Optional(Type.String()),
    api_type: Type.Optional(Type.Enum(apiTypes)),
    svc_region: Type.Optional(Type.Enum(regionNames)),
    ...makerFilters,
    metadata: Type.Optional(MetadataFilter),
    deliveries: Type.Optional(
      Type.Enum(["undelivered"], {
        description:
          "undelivered: only predictions with a webhook delivery that failed or waits for its endpoint",
      }),
    ),
    view: Type.Optional(
      Type.Enum(["summary"], {
        description:
          "summary: the input has only the first 160 characters of the prompt, and there is no timeline",
      }),
    ),
  },
  closed,
);
export type PredictionQuery = Static<typeof PredictionQuery>;
