import fastify, { type RouteOptions } from "fastify";
import { Type } from "typebox";
import { ErrorBody } from "#contract/error.ts";
import { MessageError } from "#contract/messages.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "./app.ts";
import { BuiltAnswer } from "./built-answers.ts";
import { type RouteDescription, routeDescriptions, wildcardParams } from "./openapi-descriptions.ts";
import {
  anyOperationAnswers,
  anyOperationBody,
  operationAnswers,
  operationBody,
} from "./openapi-operations.ts";

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

/** Publishes the document of all routes; call it before they are added. It is built again when the catalog has changed. */
export function installOpenApi(app: App, context: Context): void {
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
export async function describeRoutes(routes: readonly RouteOptions[], context: Context): Promise<object> {
  // The plugin writes the document of one server once: this one has the same routes, and answers nothing.
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
          response: {
            ...(schema?.response as Schema | undefined),
            ...(config?.operation && !schema?.response && answersOf(context, words)),
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
      // A route of several methods is described for each of them.
      for (const path of Object.values(openapiObject.paths ?? {})) delete path?.head;
      return openapiObject;
    },
  });
  for (const { method, url, schema, config } of routes)
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

function bodyOf(context: Context, { apiType }: RouteDescription): Schema {
  return apiType ? operationBody(context, apiType) : anyOperationBody(context);
}

function answersOf(context: Context, { apiType }: RouteDescription): Schema {
  return apiType ? operationAnswers(context, apiType) : anyOperationAnswers();
}

/** The path of a route as written in the document. */
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
