import { Type } from "typebox";
import { Prediction, PredictionList, PredictionQuery } from "#contract/prediction.ts";
import { callerOf } from "#gateway/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { cancelPrediction } from "./cancel.ts";
import { streamPrediction } from "./events.ts";
import { findPrediction, listPredictions } from "./read.ts";
import { videoView } from "./video-view.ts";
import { predictionView } from "./view.ts";

const IdParams = Type.Object({ id: Type.String() });

/** Reading (specification), and listing, cancelling, following (extensions); `/videos` is OpenAI's view of the same. */
export function predictionRoutes(app: App, context: Context): void {
  app.get(
    "/predictions/:id",
    { config: { scope: "predictions" }, schema: { params: IdParams, response: { 200: Prediction } } },
    async (request) =>
      predictionView(context, await findPrediction(context, actorOf(request).accountId, request.params.id)),
  );
  app.get(
    "/predictions",
    {
      config: { scope: "predictions", extension: true },
      schema: { querystring: PredictionQuery, response: { 200: PredictionList } },
    },
    (request) => listPredictions(context, actorOf(request).accountId, request.query),
  );
  app.post(
    "/predictions/:id/cancel",
    {
      config: { scope: "predictions", extension: true },
      schema: { params: IdParams, response: { 200: Prediction } },
    },
    (request) => cancelPrediction(context, callerOf(request, actorOf(request)), request.params.id),
  );
  app.get(
    "/predictions/:id/events",
    { config: { scope: "predictions", extension: true }, schema: { params: IdParams } },
    (request, reply) => streamPrediction(context, reply, actorOf(request).accountId, request.params.id),
  );
  app.get(
    "/videos/:id",
    { config: { scope: "predictions", extension: true }, schema: { params: IdParams } },
    async (request) =>
      videoView(await findPrediction(context, actorOf(request).accountId, request.params.id)),
  );
  app.get(
    "/videos/:id/content",
    { config: { scope: "predictions", extension: true }, schema: { params: IdParams } },
    async (request, reply) => {
      const row = await findPrediction(context, actorOf(request).accountId, request.params.id);
      const { output } = predictionView(context, row);
      const url = Array.isArray(output) ? output[0] : output;
      if (!url) return reply.code(404).send(videoContentMissing(row.status, request.id));
      return reply.redirect(url, 302);
    },
  );
}

function videoContentMissing(status: string, requestId: string) {
  return {
    error: {
      message: `This video has no content to download; its status is ${status}.`,
      type: "not_found_error",
      code: "prediction_not_found",
      param: null,
      request_id: requestId,
    },
  };
}
