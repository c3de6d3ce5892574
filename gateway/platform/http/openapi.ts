import fastify, { type RouteOptions } from "fastify";
import { Type } from "typebox";
import type { ApiType, CatalogModel, CatalogOperation } from "#contract/catalog.ts";
import { ErrorBody } from "#contract/error.ts";
import { MessageError } from "#contract/messages.ts";
import { CreatedVideo, Prediction } from "#contract/prediction.ts";
import { ReceiptKeys } from "#contract/receipts.ts";
import type { Route, Routes } from "#contract/routes/route.ts";
import { sections as routeSections } from "#contract/routes/table.ts";
import type { PlatformContext } from "#gateway/platform/context.ts";
import type { App } from "./app.ts";
import { BuiltAnswer } from "./built-answers.ts";

type Schema = Record<string, unknown>;

const idempotencyHeader = Type.Object({
  "Idempotency-Key": Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: "The same key and body again return the first answer, for 24 hours",
    }),
  ),
});

/** What the document describes beside the routes: the operations of the catalog. */
type Described = Pick<PlatformContext, "config"> & {
  catalog: {
    sightOf(): object;
    operationsOfKind(apiType: ApiType): readonly CatalogOperation[];
    list(): { data: CatalogModel[] };
  };
};

/**
 * Publishes the document of all routes; call it before they are added. The document is rebuilt after catalog
 * changes.
 */
export function installOpenApi(app: App, context: Described): void {
  const routes: RouteOptions[] = [];
  app.addHook("onRoute", (route) => void routes.push(route));
  const answers = new WeakMap<object, Promise<BuiltAnswer>>();
  const answerNow = (): Promise<BuiltAnswer> => {
    const sight = context.catalog.sightOf();
    const known = answers.get(sight);
    if (known) return known;
    const fresh = describeRoutes(routes, context).then(
      (document) => new BuiltAnswer(JSON.stringify(document)),
    );
    answers.set(sight, fresh);
    return fresh;
  };
  app.get(
    "/v1/openapi.json",
    { config: { public: true, limitedByAddress: true } },
    async (request, reply) => {
      const answer = await answerNow();
      return answer.send(request, reply.header("cache-control", "public, max-age=60"));
    },
  );
}

/** OpenAPI 3.1 of the routes, from their own schemas and the catalog. */
export async function describeRoutes(routes: readonly RouteOptions[], context: Described): Promise<object> {
  // The plugin writes a server's document only once, so each document gets its own server with the same
  // routes. It serves no requests.
  const { default: swagger } = await import("@fastify/swagger");
  const app = fastify({ exposeHeadRoutes: false });
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => () => "");
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Gatehouse",
        version: "1",
        description:
          "Media and inference gateway: one API for chat, speech, transcription, voices, images and video.",
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: [{ url: context.config.publicUrl }],
      components: {
        securitySchemes: { accountKey: { type: "http", scheme: "bearer", description: "An account key" } },
      },
      security: [{ accountKey: [] }],
    },
    hideUntagged: true,
    transform: ({ schema, url, route }) => {
      const method = String([route.method].flat()[0]);
      const path = documentedPath(url);
      const words = routeDescriptions[`${method} ${path}`];
      if (!words) return { schema: { ...schema, hide: true }, url };
      const { config } = route;
      const params = wildcardSchema(url);
      return {
        url: path.replace(/\{(\w+)\}/g, ":$1"),
        schema: {
          ...schema,
          tags: [words.tag],
          summary: words.summary,
          operationId: operationId(method, path),
          ...(params && { params }),
          ...(config?.idempotent && { headers: idempotencyHeader }),
          ...(config?.extension && { description: "An extension: not in the specification." }),
          ...(config?.public && { security: [] }),
          ...(config?.operation && !schema?.body && { body: bodyOf(context, words) }),
          ...(words.foreignBody && { body: { oneOf: [schema?.body, words.foreignBody] } }),
          response: {
            ...inEitherShape(schema?.response as Record<string, Schema> | undefined, words.foreignAnswer),
            ...(config?.operation && !schema?.response && answersOf(context, words, path)),
            ...words.answers,
            default: {
              description: "An error; its code says what to do.",
              ...(config?.errors ? MessageError : ErrorBody),
            },
          },
        },
      };
    },
    transformObject: (document) => {
      if (!("openapiObject" in document)) return document.swaggerObject;
      const { openapiObject } = document;
      // A route with several methods is described for each of them.
      for (const path of Object.values(openapiObject.paths ?? {})) delete path?.head;
      return openapiObject;
    },
  });
  // As in the API reference, wherever the rooms of the routes are.
  const places = new Map(Object.keys(routeDescriptions).map((name, place) => [name, place]));
  const placeOf = ({ method, url }: RouteOptions) =>
    places.get(`${[method].flat()[0]} ${documentedPath(url)}`) ?? -1;
  for (const { method, url, schema, config } of routes.toSorted((a, b) => placeOf(a) - placeOf(b)))
    if (method !== "HEAD")
      app.route({
        method,
        url,
        ...(schema && { schema }),
        ...(config && { config }),
        handler: () => null,
      });
  await app.ready();
  const document = app.swagger();
  await app.close();
  return document;
}

/** The route's first success status can also be answered in the shape of another API. */
function inEitherShape(answers: Record<string, Schema> = {}, foreign: Schema | undefined) {
  const [first] = Object.entries(answers);
  return first && foreign ? { ...answers, [first[0]]: { anyOf: [first[1], foreign] } } : answers;
}

function bodyOf(context: Described, { apiType }: RouteDescription): Schema {
  return apiType ? operationBody(context, apiType) : anyOperationBody(context);
}

function answersOf(context: Described, { apiType }: RouteDescription, path: string): Schema {
  const run = path === "/v1/videos" ? CreatedVideo : Prediction;
  return apiType ? operationAnswers(context, apiType, run) : anyOperationAnswers();
}

/** A route's path in the document's notation. */
export function documentedPath(url: string): string {
  const names = wildcardParams[url]?.map((name) => `{${name}}`).join("/");
  return url.replace("*", names ?? "*").replace(/:(\w+)/g, "{$1}");
}

function wildcardSchema(url: string): Schema | undefined {
  const names = wildcardParams[url];
  return names && { ...Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()]))) };
}

function operationId(method: string, path: string): string {
  const words = path.replace("/v1/", "").replace(/[{}]/g, "").split(/[/_]/);
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

/**
 * Descriptions of the documented routes for the API reference; a route that is missing here is not
 * documented.
 */
interface RouteDescription {
  tag: string;
  summary: string;
  /** The operation kind whose catalog entries give the request body and the answers. */
  apiType?: ApiType;
  /** Answers missing in the route's own schema, by status. */
  answers?: Record<string, Schema>;
  /** The request body of another API, if the route accepts one. */
  foreignBody?: Schema;
  foreignAnswer?: Schema;
}

const withoutBody = (description: string): Schema => ({ type: "null", description });
const ofType = (contentType: string, description: string): Schema => ({
  description,
  content: { [contentType]: { schema: { type: "string" } } },
});
const notModified = { 304: withoutBody("Not modified: the client already has this version") };

const ServiceStatus = Type.Object({
  status: Type.String(),
  store: Type.Optional(Type.Literal("full", { description: "/readyz only: there is no room for files" })),
  running: Type.Optional(
    Type.Integer({ description: "/readyz of a drained process: requests, jobs and deliveries in hand" }),
  ),
});

/** An answer of the MCP route: a JSON-RPC message, or the usual error if a check before the route failed. */
const RpcMessage: Schema = { description: "A JSON-RPC message, or an error as everywhere", type: "object" };
const rpcAnswers = Object.fromEntries([400, 404, 405, 406, 413, 415].map((status) => [status, RpcMessage]));

/** An error in the format of the OAuth standard. */
const OAuthRefusal: Schema = {
  description: "A refusal, as RFC 6749 has it",
  ...Type.Object({ error: Type.String(), error_description: Type.String() }),
};
const oauthRefusals = Object.fromEntries(
  [400, 408, 413, 415, 417, 429, 500, 503].map((status) => [status, OAuthRefusal]),
);
const metadata = (summary: string): Omit<RouteDescription, "tag"> => ({
  summary,
  answers: { 200: { description: "Metadata", type: "object" } },
});

/** Routes that are not in the table, by section; only the summary if a route needs no more. */
const sections: Record<string, Record<string, string | Omit<RouteDescription, "tag">>> = {
  Agents: {
    "POST /mcp": {
      summary: "Call the gateway's tools by the Model Context Protocol",
      answers: {
        200: {
          description: "A message, or several as events",
          content: {
            "application/json": { schema: { type: "object" } },
            "text/event-stream": { schema: { type: "string" } },
          },
        },
        202: withoutBody("The notification was accepted"),
        ...rpcAnswers,
      },
    },
    "GET /mcp": { summary: "This server opens no stream by itself", answers: { 405: RpcMessage } },
    "DELETE /mcp": { summary: "There is no session to end", answers: { 405: RpcMessage } },
    "GET /.well-known/oauth-protected-resource": metadata("Who issues tokens for the tools (RFC 9728)"),
    "GET /.well-known/oauth-protected-resource/mcp": metadata("The same, at the path of the tools"),
    "GET /.well-known/oauth-authorization-server": metadata(
      "What the authorization server can do (RFC 8414)",
    ),
    "GET /.well-known/oauth-authorization-server/mcp": metadata("The same, at the path of the tools"),
    "GET /.well-known/openid-configuration": metadata("The same, where some clients look"),
    "GET /.well-known/openid-configuration/mcp": metadata("The same, where some clients look"),
    "GET /mcp/.well-known/openid-configuration": metadata("The same, where some clients look"),
    "POST /oauth/token": {
      summary: "Exchange a code or a refresh token for tokens",
      answers: { 200: { description: "Tokens", type: "object" }, ...oauthRefusals, 403: OAuthRefusal },
    },
    "POST /oauth/register": {
      summary: "Register a client that has no metadata document (RFC 7591)",
      answers: { 201: { description: "The client", type: "object" }, ...oauthRefusals },
    },
    "POST /oauth/revoke": {
      summary: "Give a connection up by one of its tokens (RFC 7009)",
      answers: { 200: withoutBody("The token has ended, or was not valid"), ...oauthRefusals },
    },
  },
  Service: {
    "GET /v1/openapi.json": {
      summary: "This document",
      answers: { 200: { description: "OpenAPI 3.1", type: "object" }, ...notModified },
    },
    "GET /.well-known/gatehouse-receipts.json": {
      summary: "The public keys that verify receipts",
      answers: {
        200: { description: "Every key that ever signed receipts, as JWK and PEM", ...ReceiptKeys },
      },
    },
    "GET /healthz": {
      summary: "Whether the process answers",
      answers: { 200: { description: "It does", ...ServiceStatus } },
    },
    "GET /readyz": {
      summary: "Whether the database answers too",
      answers: {
        200: { description: "It does", ...ServiceStatus },
        503: {
          description: "It starts, stops or is drained; the database does not answer, or its disk is full",
          ...ServiceStatus,
        },
      },
    },
    "GET /metrics": {
      summary: "Metrics for Prometheus, with METRICS_TOKEN as the bearer",
      answers: { 200: ofType("text/plain", "Prometheus' text form") },
    },
  },
};

/** The documented parameters that replace a route's `*`. */
const wildcardParams: Record<string, string[]> = Object.fromEntries(
  Object.values<Routes>(routeSections).flatMap((routes) =>
    (Object.entries(routes) as [string, Route][]).flatMap(([name, { matches }]) =>
      matches ? [[`/v1${matches}`, [...name.matchAll(/\{(\w+)\}/g)].map(([, param = ""]) => param)]] : [],
    ),
  ),
);

const table = Object.entries<Routes>(routeSections).flatMap(([tag, routes]) =>
  (Object.entries(routes) as [string, Route][]).map(
    ([name, { summary, otherAnswers, operation, ...foreign }]) => [
      name.replace(" ", " /v1"),
      {
        tag,
        summary,
        ...(foreign.foreignBody && { foreignBody: { ...foreign.foreignBody } }),
        ...(foreign.foreignAnswer && { foreignAnswer: { ...foreign.foreignAnswer } }),
        ...(operation && operation !== "any" && { apiType: operation }),
        ...(otherAnswers && { answers: otherAnswers }),
      },
    ],
  ),
);

export const routeDescriptions: Record<string, RouteDescription> = {
  ...Object.fromEntries(table),
  ...Object.fromEntries(
    Object.entries(sections).flatMap(([tag, routes]) =>
      Object.entries(routes).map(([route, described]) => [
        route,
        typeof described === "string" ? { tag, summary: described } : { tag, ...described },
      ]),
    ),
  ),
};

type Content = Record<string, { schema: Schema; examples?: unknown }>;

const binary: Schema = { type: "string", contentMediaType: "application/octet-stream" };
/** Names that OpenAI's clients use for files and texts of a multipart body. */
const multipartNames: Partial<Record<ApiType, Record<string, Schema>>> = {
  "audio-transcription": { file: binary },
  "image-editing": { "image[]": { type: "array", items: binary } },
  "video-generation": { input_reference: binary, seconds: { type: "string" } },
};
const accepted = "Accepted: poll `poll_url` or wait for the webhook";

/** The answer of a sync operation on the generic route. */
const SyncPrediction = Type.Object({
  id: Type.String(),
  object: Type.Literal("prediction"),
  model: Type.Optional(Type.String()),
  status: Type.Literal("succeeded"),
  output: Type.Unknown(),
  error: Type.Null(),
  completed_at: Type.String(),
});

/**
 * The body of one kind's route: a schema per entry, selected by `model`, as JSON and (with files) as
 * multipart.
 */
function operationBody(context: Described, apiType: ApiType): Schema {
  const operations = context.catalog.operationsOfKind(apiType);
  const schema = {
    oneOf: operations.map(({ id, input_schema: input }) => ({ title: id, ...input })),
    examples: operations.map(({ example }) => example),
  };
  const files = multipartNames[apiType];
  const multipart = files && { "multipart/form-data": { schema: multipartSchema(operations, files) } };
  return { content: { "application/json": { schema }, ...multipart } satisfies Content };
}

/** Text parts are strings here; the gateway converts them to the types of the entry's schema. */
function multipartSchema(operations: readonly CatalogOperation[], files: Record<string, Schema>): Schema {
  const properties: Record<string, Schema> = {};
  for (const { input_schema: input } of operations)
    for (const [name, schema] of Object.entries(propertiesOf(input)))
      properties[name] = hasMedia(schema) ? { anyOf: [binary, { type: "string" }] } : { type: "string" };
  return { type: "object", required: ["model"], properties: { ...properties, ...files } };
}

/** The answers of one kind's route, by status. */
function operationAnswers(context: Described, apiType: ApiType, run: object): Record<string, Schema> {
  const operations = context.catalog.operationsOfKind(apiType);
  const sync = operations.find(({ execution_mode: mode }) => mode !== "async");
  const isAsync = operations.some(({ execution_mode: mode }) => mode === "async");
  const results: Schema[] = [...(sync ? [sync.output_schema] : []), ...(isAsync ? [{ ...run }] : [])];
  const content: Content =
    apiType === "text-to-speech"
      ? {
          "audio/wav": { schema: sync?.output_schema ?? binary },
          "audio/mpeg": { schema: binary },
          "audio/pcm": { schema: binary },
          "audio/ogg": { schema: binary },
          "audio/aac": { schema: binary },
          "audio/flac": { schema: binary },
        }
      : { "application/json": { schema: anyOf(results) } };
  if (apiType === "audio-transcription")
    for (const type of ["text/plain", "text/vtt", "application/x-subrip", "text/event-stream"])
      content[type] = { schema: { type: "string", description: "With `response_format` or `stream`" } };
  if (sync?.execution_mode === "sync-or-stream")
    content["text/event-stream"] = { schema: { type: "string", description: "With `stream`" } };
  const description = isAsync ? "The result; for an async entry only with `Prefer: wait`" : "The result";
  return { 200: { description, content }, ...(isAsync && { 202: { ...run, description: accepted } }) };
}

/** The body of the generic route: any entry's input, without `model`, which is in the path. */
function anyOperationBody(context: Described): Schema {
  const operations = context.catalog.list().data.flatMap((model) => model.operations);
  const inputs = operations.map(({ id, input_schema: input }) => {
    const { model: _model, ...properties } = propertiesOf(input);
    const required = Array.isArray(input.required) ? input.required.filter((name) => name !== "model") : [];
    return { title: id, ...input, properties, required };
  });
  const schema = { type: "object", required: ["input"], properties: { input: { anyOf: inputs } } };
  return { content: { "application/json": { schema } } satisfies Content };
}

function anyOperationAnswers(): Record<string, Schema> {
  return {
    200: { ...anyOf([{ ...SyncPrediction }, { ...Prediction }]), description: "The prediction has ended" },
    202: { ...Prediction, description: accepted },
  };
}

function anyOf(schemas: Schema[]): Schema {
  const [first = {}, ...more] = schemas;
  return more.length === 0 ? first : { anyOf: schemas };
}

function propertiesOf(schema: Schema): Record<string, Schema> {
  return (schema.properties ?? {}) as Record<string, Schema>;
}

function hasMedia(schema: Schema): boolean {
  const items = schema.items as Schema | undefined;
  return schema["x-svc-media"] !== undefined || (items !== undefined && hasMedia(items));
}
