import { NoQuery } from "../list.ts";
import { Prediction, PredictionList, PredictionQuery } from "../prediction.ts";
import { SignedReceipt } from "../receipts.ts";
import { Summary } from "../summary.ts";
import { Video, VideoContentQuery, VideoDeleted, VideoList, VideoQuery } from "../video.ts";
import { eventStream, noBody } from "./answers.ts";
import type { Routes } from "./route.ts";

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
