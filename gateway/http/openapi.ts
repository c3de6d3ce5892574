import swagger from "@fastify/swagger";
import type { ApiType, CatalogModel } from "#contract/catalog.ts";
import { ErrorBody } from "#contract/error.ts";
import { Prediction } from "#contract/prediction.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "./app.ts";
import { routeWords } from "./openapi-words.ts";

type Schema = Record<string, unknown>;

/** Prints OpenAPI 3.1 from the routes' own schemas and the catalog; call it before the routes are added. */
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
      const path = url.replace(/:(\w+)/g, "{$1}");
      const words = routeWords[`${String(route.method)} ${path}`];
      if (!words) return { schema: { ...schema, hide: true }, url };
      const { config } = route;
      const response = (schema?.response ?? {}) as Schema;
      return {
        url,
        schema: {
          ...schema,
          tags: [words.tag],
          summary: words.summary,
          operationId: operationId(String(route.method), path),
          ...(config?.extension && { description: "An extension: not in the specification." }),
          ...(config?.public && { security: [] }),
          ...(words.apiType && operationBody(context, words.apiType as ApiType)),
          response: {
            ...response,
            ...(words.apiType && operationAnswers(context, words.apiType as ApiType)),
            default: { description: "An error; its code says what to do.", ...ErrorBody },
          },
        },
      };
    },
  });
  app.get("/v1/openapi.json", { config: { public: true }, schema: { hide: true } }, async () =>
    app.swagger(),
  );
}

function operationsOf(context: Context, apiType: ApiType) {
  const models: CatalogModel[] = context.catalog.list({ api_type: apiType }).data;
  return models.flatMap((model) => model.operations.filter((operation) => operation.api_type === apiType));
}

/** One schema per entry of the kind, told apart by `model`, with its example. */
function operationBody(context: Context, apiType: ApiType): Schema {
  const operations = operationsOf(context, apiType);
  return {
    body: {
      oneOf: operations.map(({ id, input_schema: input }) => ({ title: id, ...(input as Schema) })),
      examples: operations.map((operation) => operation.example),
    },
  };
}

function operationAnswers(context: Context, apiType: ApiType): Schema {
  const operations = operationsOf(context, apiType);
  const sync = operations.find((operation) => operation.execution_mode !== "async");
  const isAsync = operations.some((operation) => operation.execution_mode === "async");
  return {
    ...(sync && { 200: { description: "The result", ...(sync.output_schema as Schema) } }),
    ...(isAsync && {
      202: { ...Prediction, description: "Accepted; poll `poll_url` or wait for the webhook" },
    }),
  };
}

function operationId(method: string, path: string): string {
  const words = path.replace("/v1/", "").replace(/[{}]/g, "").split(/[/_]/);
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}
