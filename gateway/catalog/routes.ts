import type { FastifyRequest } from "fastify";
import { accountHeader } from "#contract/accounts/account-constants.ts";
import { catalogRoutes } from "#contract/routes/catalog.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import type { Context } from "../context.ts";
import type { App } from "../http/app.ts";
import { BuiltAnswer, BuiltAnswers } from "../http/built-answers.ts";
import { serve } from "../http/serve.ts";

/** Lists by filter and viewer; one of all entries has a third of a megabyte. */
const keptLists = 32;

/** The public catalog: entries, one entry, regions. */
export function installCatalog(app: App, context: Context): void {
  const { catalog } = context;
  const lists = new BuiltAnswers(keptLists);

  /** Accounts may see different entries: then answers to a credential are its own. */
  const headersFor = (request: FastifyRequest) => {
    const isPersonal = catalog.isPersonal && viewerOf(request) !== null;
    return {
      vary: `Authorization, ${accountHeader}`,
      "cache-control": `${isPersonal ? "private" : "public"}, max-age=60`,
    };
  };

  serve(app, catalogRoutes, {
    "GET /models": (request, reply) => {
      const viewer = viewerOf(request);
      const list = catalog.list(request.query, viewer);
      const etag = catalog.etag(viewer);
      // Filters that find the same share an answer. Without the schema serializer: input schemas are free-form.
      const key = `${etag} ${list.data.map(({ id }) => id).join(" ")}`;
      const answer = lists.of(key, () => new BuiltAnswer(JSON.stringify(list), etag));
      return answer.send(request, reply.headers(headersFor(request)));
    },
    "GET /models/{namespace}/{name}": (request, reply) => {
      const id = request.params["*"];
      const model = catalog.model(id, viewerOf(request));
      if (!model) throw new ApiError("model_not_found", `There is no model "${id}".`, { param: "model" });
      const answer = new BuiltAnswer(JSON.stringify(model), catalog.etag(viewerOf(request)));
      return answer.send(request, reply.headers(headersFor(request)));
    },
    "GET /regions": (request, reply) => {
      reply.headers(headersFor(request));
      return catalog.regions(viewerOf(request));
    },
  });
}

/** The account whose entries are shown; null for a request without a credential. */
function viewerOf({ actor }: FastifyRequest): string | null {
  return actor?.accountId ?? null;
}
