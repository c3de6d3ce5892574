import multipart from "@fastify/multipart";
import type { FastifyReply, FastifyRequest } from "fastify";
import {
  type ApiType,
  type CatalogModel,
  type CatalogOperation,
  genericRoutes,
  operationRoutes,
} from "#contract/catalog.ts";
import { decimalText, withPercent } from "#contract/money/decimal.ts";
import type { PriceComponent } from "#contract/operator/prices.ts";
import { type OwnPrice, type PricedPlace, priceRoutes } from "#contract/prices.ts";
import type { Route } from "#contract/routes/route.ts";
import type { PriceInForce } from "#gateway/billing/prices/book.ts";
import type { AskedCallback } from "#gateway/events/webhooks/callbacks.ts";
import { everyone } from "#gateway/models/catalog/entry.ts";
import { modelOfVersion } from "#gateway/models/catalog/registry.ts";
import { type Actor, allowedRegions, mayUseModel } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { operationFor } from "#gateway/runs/operations/admit.ts";
import { maxFilesBytes } from "#gateway/runs/operations/resolve-media-source.ts";
import { createdVideo } from "#gateway/runs/predictions/read.ts";
import { readMultipart } from "./multipart.ts";
import { type OperationCall, runOperation } from "./run-operation.ts";

/**
 * Limits of JSON bodies in bytes. A chat's limit comes from its catalog entry; the other limits leave room
 * for media as data URIs.
 */
const jsonBodyBytes: Record<ApiType, number> = {
  "chat-completions": 4_000_000,
  "text-to-speech": 1_000_000,
  "audio-transcription": 16_000_000,
  "voice-management": 42_000_000,
  "image-generation": 4_000_000,
  "image-editing": 64_000_000,
  "video-generation": 64_000_000,
  embeddings: 4_000_000,
  rerank: 4_000_000,
};
/** Operations that read media: their routes accept files in a multipart body. All other routes answer 415. */
export const withFiles: readonly ApiType[] = [
  "audio-transcription",
  "voice-management",
  "image-editing",
  "video-generation",
];

/** Long enough for a model id, a colon and a sha256. */
const longestVersion = 300;

type OperationRoute = keyof typeof operationRoutes;

/** One route per kind of operation, and the generic one in Replicate's format. */
export function installOperations(app: App, context: RunsContext): void {
  serve(app, context, priceRoutes, {
    "GET /prices": ({ caller: { actor }, query: { model: id, api_type: apiType } }) => {
      const { model, operation } = operationFor(context, actor, apiType, { model: id });
      return ownPrice(context, actor, model, operation);
    },
    "GET /prices/models": ({ caller: { actor } }) => ({
      object: "list" as const,
      data: context.catalog
        .list({}, actor.accountId)
        .data.filter(({ id }) => mayUseModel(actor, id))
        .flatMap((model) => model.operations.map((operation) => ownPrice(context, actor, model, operation))),
    }),
  });
  serveKinds(
    app,
    context,
    (kind) => !withFiles.includes(kind),
    (request, reply, kind) =>
      runOperation(context, request, reply, { ...kind, body: request.body, fingerprint: request.body }),
  );
  app.register(async (scope) => {
    await scope.register(multipart);
    serveKinds(
      scope as App,
      context,
      (kind) => withFiles.includes(kind),
      (request, reply, kind) => {
        const { body } = request;
        const { apiType } = kind;
        if (!request.isMultipart())
          return runOperation(context, request, reply, { ...kind, body, fingerprint: body });
        // The files are stored in a folder of this request, which is removed when the request ends.
        return context.scratch.withDirectory(async (directory) => {
          const maxBytes = largestFilesBytes(context, apiType);
          const read = await readMultipart(context, request, { apiType, directory, maxBytes });
          return runOperation(context, request, reply, { ...read, ...kind });
        });
      },
    );
  });
  serve(
    app,
    context,
    genericRoutes,
    {
      "POST /models/{namespace}/{name}/predictions": (request, reply) => {
        const { namespace, name } = request.params;
        const { metadata } = (request.body ?? {}) as { metadata?: unknown };
        const fields = inputOf(request.body, `${namespace}/${name}`);
        const body = {
          ...fields,
          ...(metadata !== undefined && { metadata }),
          model: `${namespace}/${name}`,
        };
        const apiType = request.query.api_type ?? null;
        const fingerprint = apiType ? { ...body, api_type: apiType } : body;
        const callback = callbackOf(request.body);
        return runOperation(context, request, reply, {
          ...{ apiType, body, fingerprint: callback ? { ...fingerprint, callback } : fingerprint },
          isGeneric: true,
          ...(callback && { callback }),
        });
      },
      "POST /predictions": (request, reply) => {
        const { version, ...sent } = (request.body ?? {}) as { version?: unknown };
        const model = modelNamed(context, request.caller.actor.accountId, version);
        const { metadata } = sent as { metadata?: unknown };
        const body = { ...inputOf(sent, model), ...(metadata !== undefined && { metadata }), model };
        const callback = callbackOf(sent);
        return runOperation(context, request, reply, {
          apiType: null,
          body,
          fingerprint: request.body,
          isGeneric: true,
          ...(callback && { callback }),
        });
      },
    },
    {
      "POST /models/{namespace}/{name}/predictions": { bodyLimit: jsonBodyBytes["video-generation"] },
      // Smaller, because Replicate's clients, which name a version, send large files by POST /files.
      "POST /predictions": { bodyLimit: jsonBodyBytes["audio-transcription"] },
    },
  );
}

/** The price that the caller's account pays now for an operation, for each place where it may run. */
function ownPrice(
  context: RunsContext,
  actor: Actor,
  model: CatalogModel,
  operation: CatalogOperation,
): OwnPrice {
  const { api_type: apiType } = operation;
  const { book } = context.prices;
  const now = clock.now();
  const routes = context.providers.routes();
  const served =
    routes.regions(model, operation) ?? operation.deployments.map(({ gateway_region }) => gateway_region);
  const allowed = allowedRegions(actor);
  const regions = served.filter((region) => allowed?.includes(region) ?? true);
  const places = regions.flatMap((region) =>
    routes.route(model, operation, region).map(({ id: provider, sandbox }): PricedPlace => {
      if (sandbox) return { region, sandbox, components: [] };
      const place = { model: model.id, apiType, provider, region };
      const own = book.ownPrice(actor.accountId, place, now);
      const percent = own ? null : (book.markup(actor.accountId, now)?.percent ?? null);
      const price = own ?? book.costPrice(place, now);
      return { region, sandbox, components: price && componentsOf(price, percent) };
    }),
  );
  return {
    object: "operation_price",
    model: model.id,
    api_type: apiType,
    currency: book.currency,
    places: unique(places),
  };
}

/** The components in the order in which the price lists them. */
function componentsOf({ components }: PriceInForce, percent: bigint | null): PriceComponent[] {
  return [...components]
    .flatMap(([kind, ofKind]) => ofKind.map((component) => ({ kind, ...component })))
    .toSorted((one, other) => one.at - other.at)
    .map(({ kind, rate, per, when }) => ({
      kind,
      per,
      rate: decimalText(percent === null ? rate : withPercent(rate, percent)),
      ...(when && { when }),
    }));
}

/** Removes duplicates: several routes of a region often cost the same. */
function unique(places: readonly PricedPlace[]): PricedPlace[] {
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
}

type Kind = Pick<OperationCall, "view"> & { apiType: ApiType };
type RunKind = (request: FastifyRequest, reply: FastifyReply, kind: Kind) => Promise<FastifyReply>;

/** Registers the routes of the kinds that `belongs` accepts. */
function serveKinds(app: App, context: RunsContext, belongs: (kind: ApiType) => boolean, run: RunKind): void {
  for (const name of Object.keys(operationRoutes) as OperationRoute[]) {
    const route: Route = operationRoutes[name];
    const apiType = operationRoutes[name].operation;
    if (!belongs(apiType)) continue;
    const kind = { apiType, ...(name === "POST /videos" && { view: createdVideo }) };
    serve(
      app,
      context,
      { [name]: route },
      { [name]: (request: FastifyRequest, reply: FastifyReply) => run(request, reply, kind) },
      { [name]: { bodyLimit: jsonBodyBytes[apiType] } },
    );
  }
}

/** The model id of a version. Throws `missing_parameter`, `invalid_parameter` and `model_not_found`. */
function modelNamed({ catalog }: RunsContext, accountId: string, version: unknown): string {
  const param = "version";
  if (version === undefined || version === null)
    throw new ApiError("missing_parameter", "version is required: the id of a model, or of its version.", {
      param,
    });
  if (typeof version !== "string" || version.length > longestVersion)
    throw invalidParameter(param, "version must be the id of a model, or of its version.");
  const found = modelOfVersion(catalog.list({}, accountId).data, version);
  if (found) return found.id;
  throw new ApiError(
    "model_not_found",
    `No model has the version ${version} now. Send latest_version.id of GET /v1/models/{namespace}/{name}, or run the model without a version.`,
    { param },
  );
}

/** The callback in a body of Replicate's format; null if there is none. */
function callbackOf(body: unknown): AskedCallback | null {
  const {
    webhook,
    webhook_events_filter: events,
    callback_url: url,
  } = (body ?? {}) as Record<string, unknown>;
  if (webhook !== undefined && webhook !== null)
    return { url: webhook, events, shape: "prediction", param: "webhook" };
  if (url !== undefined && url !== null) return { url, shape: "event", param: "callback_url" };
  return null;
}

/** Fields that Replicate allows beside `input`; they are not sent to the model. */
const besideInput = ["metadata", "webhook", "webhook_events_filter", "callback_url"];

/** The `input` of a body in Replicate's format. Other fields are rejected, because they would be ignored. */
function inputOf(body: unknown, model: string): Record<string, unknown> {
  const { input, ...beside } = (body ?? {}) as Record<string, unknown>;
  for (const [param, value] of Object.entries(beside)) {
    if (value === null || value === false || besideInput.includes(param)) continue;
    const instead =
      param === "stream"
        ? "a chat streams by POST /v1/chat/completions, and GET /v1/predictions/{id}/events follows a prediction"
        : "parameters of the model belong inside input";
    throw invalidParameter(param, `${param} is not accepted beside input: ${instead}.`);
  }
  if (typeof input !== "object" || input === null || Array.isArray(input))
    throw new ApiError("missing_parameter", "input must be an object", { param: "input" });
  const fields = input as Record<string, unknown>;
  if (fields.model !== undefined && fields.model !== model)
    throw invalidParameter("model", `input.model must be ${model}, as in the path`);
  return fields;
}

/** The largest limit among the operations of a kind, recomputed because catalog entries change. */
function largestFilesBytes({ catalog }: RunsContext, apiType: ApiType): number {
  const { data: models } = catalog.list({ api_type: apiType }, everyone);
  const operations = models.flatMap((model) => model.operations.filter((one) => one.api_type === apiType));
  return Math.max(...operations.map(maxFilesBytes));
}
