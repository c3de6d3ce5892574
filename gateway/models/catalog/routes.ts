import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { type CatalogModel, catalogRoutes, type ReplicateModel } from "#contract/catalog.ts";
import { accountHeader } from "#contract/client-address.ts";
import type { ModelsContext } from "#gateway/models/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { BuiltAnswer, BuiltAnswers } from "#gateway/platform/http/built-answers.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { type CatalogFilter, matches } from "./catalog.ts";
import { modelNotFound } from "./model-not-found.ts";
import { countsOf, replicateModel } from "./registry.ts";

/** At most this many lists are cached. A list of all entries has a third of a megabyte. */
const keptLists = 32;

/** The public catalog: entries, one entry, regions. */
export function installCatalog(app: App, context: ModelsContext): void {
  const { catalog } = context;
  const lists = new BuiltAnswers(keptLists);

  /** Accounts may see different entries, so an answer for a credential may be private to it. */
  const headersFor = (request: FastifyRequest, hasOwn: boolean) => {
    const isPersonal = (catalog.isPersonal || hasOwn) && viewerOf(request) !== null;
    return {
      vary: `Authorization, ${accountHeader}`,
      "cache-control": `${isPersonal ? "private" : "public"}, max-age=60`,
    };
  };

  /** While the database is unavailable, models are still listed, but without aliases that are not cached. */
  const aliasesOf = (request: FastifyRequest) =>
    context.aliases.list(viewerOf(request)).catch((error: unknown) => {
      request.log.warn({ err: error }, "aliases could not be read");
      return [];
    });
  const asReplicate = (model: CatalogModel) => replicateModel(model, context.config.consoleUrl);
  const replicatePage = (data: readonly CatalogModel[]) => ({
    results: data.map(asReplicate),
    next: null,
    previous: null,
  });

  serve(app, context, catalogRoutes, {
    "GET /models": async (request, reply) => {
      const viewer = viewerOf(request);
      const { aliases: wantsAliases = true, limit, after_id, before_id, ...filter } = request.query;
      const aliases = wantsAliases ? await aliasesOf(request) : [];
      const { object, data: entries, registry } = catalog.list(filter, viewer);
      const found = entries.concat(aliasEntries(context, viewer, aliases, filter));
      const { data, ...page } = pageOf(found, { limit, after_id, before_id });
      const etag = withAliases(catalog.etag(viewer), aliases);
      // Filters with the same result share an answer. It is serialized without a schema, because input
      // schemas are free-form.
      const key = `${etag} ${page.has_more} ${data.map(({ id }) => id).join(" ")}`;
      const answer = lists.of(key, () => {
        // `data` contains aliases too, so the counts include them.
        const list = { object, data, registry: { ...registry, ...countsOf(data) } };
        return new BuiltAnswer(JSON.stringify({ ...list, ...page, ...replicatePage(data) }), etag);
      });
      return answer.send(request, reply.headers(headersFor(request, aliases.length > 0)));
    },
    "GET /models/{namespace}/{name}": async (request, reply) => {
      const id = request.params["*"];
      const viewer = viewerOf(request);
      const own = catalog.model(id, viewer);
      const alias = own ? null : (await aliasesOf(request)).find(({ name }) => name === id);
      const model = own ?? (alias && aliasEntry(context, viewer, alias));
      if (!model) throw modelNotFound(context, id, viewing(request));
      const etag = withAliases(catalog.etag(viewer), alias ? [alias] : []);
      const answer = new BuiltAnswer(
        JSON.stringify({ ...asReplicate(model), description: undefined, ...model }),
        etag,
      );
      return answer.send(request, reply.headers(headersFor(request, Boolean(alias))));
    },
    "GET /models/{namespace}/{name}/versions": (request) => ({
      results: [versionAsked(context, request)],
      next: null,
      previous: null,
    }),
    "GET /models/{namespace}/{name}/versions/{version}": (request) => {
      const { version } = request.params;
      const current = versionAsked(context, request);
      if (current.id === version) return current;
      throw new ApiError("model_not_found", `The model has the version ${current.id} now, and no other.`, {
        param: "version",
      });
    },
    "GET /regions": (request, reply) => {
      reply.headers(headersFor(request, false));
      return catalog.regions(viewerOf(request));
    },
  });
}

/** The one version of an entry: the current one. Throws `model_not_found`. */
function versionAsked(
  context: ModelsContext,
  request: FastifyRequest<{ Params: { namespace: string; name: string } }>,
): ReplicateModel["latest_version"] {
  const id = `${request.params.namespace}/${request.params.name}`;
  const model = context.catalog.model(id, viewerOf(request));
  if (!model) throw modelNotFound(context, id, viewing(request));
  return replicateModel(model, context.config.consoleUrl).latest_version;
}

/**
 * A page for Anthropic's clients. Without a limit it holds all remaining entries. Throws `invalid_cursor`.
 */
function pageOf(
  found: readonly CatalogModel[],
  { limit = found.length, after_id: after, before_id: before }: PageQuery,
) {
  const placeOf = (param: string, id: string) => {
    const place = found.findIndex((model) => model.id === id);
    if (place < 0)
      throw new ApiError("invalid_cursor", `${param} must be the id of a model in this list.`, { param });
    return place;
  };
  const end = before === undefined ? found.length : placeOf("before_id", before);
  const first = after === undefined ? 0 : placeOf("after_id", after) + 1;
  const start = before === undefined ? first : Math.max(first, end - limit);
  const data = found.slice(start, Math.min(end, start + limit));
  return {
    data,
    has_more: before === undefined ? start + data.length < found.length : start > first,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  };
}

interface PageQuery {
  limit: number | undefined;
  after_id: string | undefined;
  before_id: string | undefined;
}

/** The account of the request's credential; null without one. */
function viewerOf({ actor }: FastifyRequest): string | null {
  return actor?.accountId ?? null;
}

function viewing({ actor }: FastifyRequest) {
  return actor ?? { accountId: null };
}

interface Named {
  name: string;
  models: readonly string[];
}

/** The catalog entry for an alias: that of its first model that the viewer has. Null if there is none. */
function aliasEntry(
  { catalog }: Pick<ModelsContext, "catalog">,
  viewer: string | null,
  { name, models }: Named,
): CatalogModel | null {
  if (catalog.has(name, viewer)) return null;
  const usable = models.filter((id) => catalog.has(id, viewer));
  const model = catalog.model(usable[0] ?? "", viewer);
  return model && { ...model, id: name, alias_of: usable };
}

/** The entries of all aliases that match a filter. */
function aliasEntries(
  context: Pick<ModelsContext, "catalog">,
  viewer: string | null,
  aliases: readonly Named[],
  filter: CatalogFilter,
): CatalogModel[] {
  const entries = aliases.flatMap((alias) => aliasEntry(context, viewer, alias) ?? []);
  return entries.filter((entry) => matches({ ...entry, id: entry.id.toLowerCase() }, filter));
}

/** An ETag that also changes with these aliases. */
function withAliases(etag: string, aliases: readonly Named[]): string {
  if (aliases.length === 0) return etag;
  const said = JSON.stringify(aliases.map(({ name, models }) => [name, models]));
  return `${etag.slice(0, -1)}-${createHash("sha256").update(said).digest("hex").slice(0, 12)}"`;
}
