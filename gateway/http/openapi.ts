import swagger from "@fastify/swagger";
import { Type } from "typebox";
import { ErrorBody } from "#contract/error.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "./app.ts";
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

/** Generates OpenAPI 3.1 from the routes' own schemas and the catalog; call it before the routes are added. */
export async function installOpenApi(app: App, context: Context): Promise<void> {
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
          ...(config?.operation && { body: bodyOf(context, words) }),
          response: {
            ...(schema?.response as Schema | undefined),
            ...(config?.operation && answersOf(context, words)),
            ...words.answers,
            default: { description: "An error; its code says what to do.", ...ErrorBody },
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
  app.get("/v1/openapi.json", { config: { public: true } }, async () => app.swagger());
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
