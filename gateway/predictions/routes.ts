import { Type } from "typebox";
import { NoQuery } from "#contract/list.ts";
import { Prediction, PredictionList, PredictionQuery } from "#contract/prediction.ts";
import { Summary } from "#contract/summary.ts";
import { Video } from "#contract/video.ts";
import { callerOf } from "#gateway/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { cancelPrediction } from "./cancel.ts";
import { streamPrediction } from "./events.ts";
import { findPrediction, listPredictions, readPrediction } from "./read.ts";
import { readSummary } from "./summary.ts";
import { videoView } from "./video-view.ts";
import { predictionView } from "./view.ts";

const IdParams = Type.Object({ id: Type.String() });

/** Reading (specification), and listing, cancelling, following (extensions); `/videos` is OpenAI's view of the same. */
export function predictionRoutes(app: App, context: Context): void {
  app.get(
    "/predictions/:id",
    {
      config: { permission: "predictions:read" },
      schema: { params: IdParams, response: { 200: Prediction } },
    },
    (request) => readPrediction(context, actorOf(request).accountId, request.params.id),
  );
  app.get(
    "/predictions",
    {
      config: { permission: "predictions:read", extension: true },
      schema: { querystring: PredictionQuery, response: { 200: PredictionList } },
    },
    (request) => listPredictions(context, actorOf(request).accountId, request.query),
  );
  app.get(
    "/summary",
    { config: { extension: true }, schema: { querystring: NoQuery, response: { 200: Summary } } },
    (request) => readSummary(context, actorOf(request)),
  );
  app.post(
    "/predictions/:id/cancel",
    {
      config: { permission: "predictions:cancel", extension: true },
      schema: { params: IdParams, response: { 200: Prediction } },
    },
    (request) => cancelPrediction(context, callerOf(request, actorOf(request)), request.params.id),
  );
  app.get(
    "/predictions/:id/events",
    { config: { permission: "predictions:read", extension: true }, schema: { params: IdParams } },
    (request, reply) => streamPrediction(context, reply, actorOf(request), request.params.id),
  );
  app.get(
    "/videos/:id",
    {
      config: { permission: "predictions:read", extension: true },
      schema: { params: IdParams, response: { 200: Video } },
    },
    async (request) =>
      videoView(await findPrediction(context, actorOf(request).accountId, request.params.id)),
  );
  app.get(
    "/videos/:id/content",
    { config: { permission: "predictions:read", extension: true }, schema: { params: IdParams } },
    async (request, reply) => {
      const row = await findPrediction(context, actorOf(request).accountId, request.params.id);
      const { output } = predictionView(context, row);
      const url = Array.isArray(output) ? output[0] : output;
      if (!url)
        throw new ApiError(
          "prediction_not_found",
          `This video has no content to download; its status is ${row.status}.`,
        );
      return reply.redirect(url, 302);
    },
  );
}
