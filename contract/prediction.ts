import { type Static, Type } from "typebox";
import { Maker, makerFilters } from "./accounts/people.ts";
import { Gated } from "./attestations.ts";
import { apiTypes, billingUnits, regionNames } from "./catalog-constants.ts";
import { closed, ListOf, NoQuery, Nullable, PageQuery, SearchFilter, Timestamp } from "./list.ts";
import { pageLimit } from "./list-constants.ts";
import { Metadata, MetadataFilter } from "./metadata.ts";
import { Cost } from "./money/cost.ts";
import { PreviewUrl, Provenance } from "./outputs.ts";
import { predictionStatuses } from "./prediction-constants.ts";
import { SignedReceipt } from "./receipts.ts";
import { eventStream, noBody, type Routes } from "./routes/route.ts";
import { Summary } from "./summary.ts";
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

/** A prediction in the shape of OpenAI's video resource. Times are unix seconds. */
export const Video = Type.Object({
  id: Type.String(),
  object: Type.Literal("video"),
  model: Type.String(),
  status: Type.Enum(["queued", "in_progress", "completed", "failed"]),
  progress: Type.Integer({ minimum: 0, maximum: 100 }),
  created_at: Type.Integer(),
  completed_at: Nullable(Type.Integer()),
  expires_at: Nullable(Type.Integer()),
  prompt: Nullable(Type.String()),
  seconds: Nullable(Type.String()),
  size: Nullable(Type.Unknown()),
  remixed_from_video_id: Type.Null(),
  error: Nullable(
    Type.Object({ code: Type.String(), message: Type.String(), type: Type.Optional(Type.String()) }),
  ),
});
export type Video = Static<typeof Video>;

/** The answer to `POST /videos`: what OpenAI's clients read, and what every async operation answers. */
export const CreatedVideo = Type.Interface([Video], { poll_url: Type.String(), svc_region: Type.String() });
export type CreatedVideo = Static<typeof CreatedVideo>;

export const VideoQuery = Type.Object(
  {
    after: Type.Optional(Type.String()),
    limit: Type.Optional(Type.Integer({ minimum: pageLimit.min, maximum: pageLimit.max })),
    order: Type.Optional(Type.Enum(["desc"], { description: "only newest first is supported" })),
  },
  closed,
);
export type VideoQuery = Static<typeof VideoQuery>;

const VideoContentQuery = Type.Object(
  {
    variant: Type.Optional(
      Type.Enum(["video", "thumbnail"] as const, {
        description: "`thumbnail`: a small picture of the video",
      }),
    ),
  },
  closed,
);

const VideoList = ListOf(Video);

const VideoDeleted = Type.Object({
  id: Type.String(),
  object: Type.Literal("video.deleted"),
  deleted: Type.Literal(true),
});

/**
 * Reading predictions (specification), and listing, cancelling and following them (extensions). `/videos` has
 * the same data in OpenAI's shape.
 */
export const predictionRoutes = {
  "GET /predictions/{id}": {
    summary: "Read a prediction",
    permission: "predictions:read",
    fromBrowser: true,
    answers: { 200: Prediction },
  },
  "GET /predictions/{id}/receipt": {
    summary: "Read the signed receipt of a prediction, or of a sync run with stored files",
    permission: "predictions:read",
    extension: true,
    fromBrowser: true,
    answers: { 200: SignedReceipt },
  },
  "GET /predictions": {
    summary: "List predictions",
    permission: "predictions:read",
    extension: true,
    fromBrowser: true,
    query: PredictionQuery,
    answers: { 200: PredictionList },
  },
  "POST /predictions/{id}/cancel": {
    summary: "Cancel a prediction",
    permission: "predictions:cancel",
    extension: true,
    byClick: true,
    answers: { 200: Prediction },
  },
  "GET /predictions/{id}/events": {
    summary: "Follow a prediction as server-sent events",
    permission: "predictions:read",
    extension: true,
    stream: true,
    fromBrowser: true,
    otherAnswers: { 200: eventStream("One event per change; its data is the prediction") },
  },
  "GET /videos": {
    summary: "List videos as OpenAI's video resources",
    permission: "predictions:read",
    extension: true,
    query: VideoQuery,
    answers: { 200: VideoList },
  },
  "DELETE /videos/{id}": {
    summary: "Remove the files of a video that has ended",
    permission: "predictions:cancel",
    extension: true,
    answers: { 200: VideoDeleted },
  },
  "GET /videos/{id}": {
    summary: "Read a video as OpenAI's video resource",
    permission: "predictions:read",
    extension: true,
    answers: { 200: Video },
  },
  "GET /videos/{id}/content": {
    summary: "Download a video, or a picture of it",
    permission: "predictions:read",
    extension: true,
    query: VideoContentQuery,
    otherAnswers: { 302: noBody("Redirects to the signed URL") },
  },
} as const satisfies Routes;

export const summaryRoutes = {
  "GET /summary": {
    summary: "Count the predictions and deliveries of the last 24 hours by status",
    extension: true,
    fromBrowser: true,
    query: NoQuery,
    answers: { 200: Summary },
  },
} as const satisfies Routes;
