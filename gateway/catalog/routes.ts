import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import {
  ApiType,
  CatalogList,
  CatalogModel,
  modalities,
  RegionList,
  regionNames,
} from "#contract/catalog.ts";
import { closed, NoQuery } from "#contract/list.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import type { Context } from "../context.ts";
import type { App } from "../http/app.ts";
import { etagMatches } from "./etag.ts";

const cacheControl = "public, max-age=60";

const ListQuery = Type.Object(
  {
    api_type: Type.Optional(ApiType),
    modality: Type.Optional(Type.Enum(modalities)),
    region: Type.Optional(Type.Enum(regionNames)),
    q: Type.Optional(Type.String({ maxLength: 200 })),
  },
  closed,
);
const ModelParams = Type.Object({ "*": Type.String({ description: "`<namespace>/<model_name>`" }) });

/** The public catalog: entries, one entry, regions. */
export function catalogRoutes(app: App, context: Context): void {
  const { catalog } = context;

  app.get(
    "/models",
    {
      config: { public: true },
      schema: { querystring: ListQuery, response: { 200: CatalogList } },
    },
    (request, reply) => {
      sendTagged(request, reply, catalog.etag, () => catalog.list(request.query));
    },
  );

  app.get(
    "/models/*",
    { config: { public: true }, schema: { params: ModelParams, response: { 200: CatalogModel } } },
    (request, reply) => {
      const id = request.params["*"];
      const model = catalog.model(id);
      if (!model) throw new ApiError("model_not_found", `There is no model "${id}".`, { param: "model" });
      sendTagged(request, reply, catalog.etag, () => model);
    },
  );

  app.get(
    "/regions",
    { config: { public: true }, schema: { querystring: NoQuery, response: { 200: RegionList } } },
    (_request, reply) => {
      reply.header("cache-control", cacheControl).send(catalog.regions());
    },
  );
}

/** Sends JSON under the tag, or 304 to a client that has it. Without the schema serializer: input schemas are free-form. */
function sendTagged(request: FastifyRequest, reply: FastifyReply, etag: string, value: () => unknown): void {
  reply.header("etag", etag).header("cache-control", cacheControl);
  if (etagMatches(request.headers["if-none-match"], etag)) reply.code(304).send();
  else reply.type("application/json; charset=utf-8").send(JSON.stringify(value()));
}
