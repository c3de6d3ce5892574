import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { accountHeader } from "#contract/account-constants.ts";
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

  /** Accounts may see different entries: then answers to a credential are its own. */
  const headersFor = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const isPersonal = catalog.isPersonal && viewerOf(request) !== null;
    return reply
      .header("vary", `Authorization, ${accountHeader}`)
      .header("cache-control", `${isPersonal ? "private" : "public"}, max-age=60`);
  };

  /** Sends JSON under the tag, or 304 to a client that has it. Without the schema serializer: input schemas are free-form. */
  const sendTagged = (request: FastifyRequest, reply: FastifyReply, value: () => unknown): void => {
    const etag = catalog.etag(viewerOf(request));
    headersFor(request, reply).header("etag", etag);
    if (etagMatches(request.headers["if-none-match"], etag)) reply.code(304).send();
    else reply.type("application/json; charset=utf-8").send(JSON.stringify(value()));
  };

  app.get(
    "/models",
    {
      config: { public: true },
      schema: { querystring: ListQuery, response: { 200: CatalogList } },
    },
    (request, reply) => {
      const viewer = viewerOf(request);
      sendTagged(request, reply, () => catalog.list(request.query, viewer));
    },
  );

  app.get(
    "/models/*",
    { config: { public: true }, schema: { params: ModelParams, response: { 200: CatalogModel } } },
    (request, reply) => {
      const id = request.params["*"];
      const model = catalog.model(id, viewerOf(request));
      if (!model) throw new ApiError("model_not_found", `There is no model "${id}".`, { param: "model" });
      sendTagged(request, reply, () => model);
    },
  );

  app.get(
    "/regions",
    { config: { public: true }, schema: { querystring: NoQuery, response: { 200: RegionList } } },
    (request, reply) => {
      headersFor(request, reply).send(catalog.regions(viewerOf(request)));
    },
  );
}

/** The account whose entries are shown; null for a request without a credential. */
function viewerOf({ actor }: FastifyRequest): string | null {
  return actor?.accountId ?? null;
}
