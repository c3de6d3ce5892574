import {
  operatorRouteRoutes,
  type RouteEntry,
  type RouteMapAll,
  type RouteMapAllResult,
  type RoutePreview,
  type RoutePreviewRequest,
} from "#contract/operator/routes.ts";
import type { Sentence } from "#contract/sentences.ts";
import type { CompiledOperation } from "#gateway/models/catalog/catalog.ts";
import { everyone } from "#gateway/models/catalog/entry.ts";
import type { ModelsContext } from "#gateway/models/context.ts";
import {
  expandRoute,
  type RoutableModel,
  type RouteProblem,
} from "#gateway/models/providers/file/expand-route.ts";
import { previewRequest } from "#gateway/models/providers/preview/preview-request.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { type ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import { englishOf, sentence } from "#gateway/platform/core/sentences.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { changeConfiguration } from "../change.ts";
import { withProviderName } from "../providers/names.ts";
import { connectionProblems, keyedProvider, type RouteRow, readRouteRows } from "./read-routes.ts";
import { changeRoutes, type NamedRoute, replaceRoutes, routableModels, routeTable } from "./replace.ts";

/** Which provider runs which model. */
export function installOperatorRoutes(app: App, context: ModelsContext): void {
  serve(app, context, operatorRouteRoutes, {
    "GET /operator/routes": () => routeTable(context),
    "PUT /operator/routes": (request) => {
      const routes = request.body.routes.map((route) => withProviderName(context, route));
      return replaceRoutes(context, request.caller, { ...request.body, routes });
    },
    "POST /operator/routes/map": (request) =>
      mapAll(context, request.caller, withProviderName(context, request.body)),
    "POST /operator/routes/preview": (request) =>
      previewRoute(context, { ...request.body, route: withProviderName(context, request.body.route) }),
  });
}

const specificationNamespace = "svc/";

/**
 * Maps every model that has an operation to one upstream model. `skipped` lists models that the provider
 * cannot serve, those that the providers file maps, and operators' entries that already have a route. Throws
 * `invalid_parameter` if none is left; a dry run only reports it.
 */
async function mapAll(
  context: ModelsContext,
  caller: Caller,
  requested: RouteMapAll,
): Promise<RouteMapAllResult> {
  const { mapped, skipped } = sortModels(context, requested);
  if (requested.dry_run) return { ...routeTable(context), mapped, skipped };
  if (mapped.length === 0)
    throw invalidParameter(
      "provider",
      `${requested.provider} cannot serve ${requested.api_type} for any model: ${skipped[0]?.reason ?? "no model has this operation"}.`,
    );
  await changeConfiguration(context, caller, async (queries) => {
    const rows = await readRouteRows(queries);
    const kept =
      requested.replace === false
        ? rows.map(named)
        : rows.flatMap((row) => routesWithout(row, mapped, requested));
    const last = Math.max(-1, ...kept.map(({ entry }) => entry.priority ?? 0));
    const entry = {
      ...entryOf(requested, mapped),
      ...(requested.replace === false && { priority: last + 1 }),
    };
    return changeRoutes(context, queries, [...kept, { entry }]);
  });
  return { ...routeTable(context), mapped, skipped };
}

function entryOf({ api_type, provider, upstream_model, regions }: RouteMapAll, models: string[]): RouteEntry {
  return { models, api_types: [api_type], ...(regions && { regions }), provider, upstream_model };
}

function sortModels(
  context: ModelsContext,
  requested: RouteMapAll,
): Pick<RouteMapAllResult, "mapped" | "skipped"> {
  const reading = context.configuration.current;
  const { configuration, file } = reading;
  const provider = keyedProvider(configuration.connections, requested.provider);
  if (!provider)
    throw invalidParameter("provider", `provider is "${requested.provider}", which is not connected`);
  const isMapped = ({ id }: RoutableModel) =>
    configuration.mappings.some(({ modelId, apiType }) => modelId === id && apiType === requested.api_type);
  const mapped: string[] = [];
  const skipped: RouteMapAllResult["skipped"] = [];
  for (const model of routableModels(reading)) {
    if (!model.operations.some(({ api_type }) => api_type === requested.api_type)) continue;
    const { mappings, problems } = expandRoute(entryOf(requested, [model.id]), provider, [model]);
    const isOfFile = mappings.every(({ region }) =>
      file?.mappings.some(
        (one) => one.modelId === model.id && one.apiType === requested.api_type && one.region === region,
      ),
    );
    const serious = problems.find(({ at }) => !(requested.regions && /^\.regions\[/.test(at)));
    if (serious) skipped.push(leftOut(model, reasonOf(serious, model, requested)));
    else if (isOfFile) skipped.push(leftOut(model, sentence("left_out_by_file")));
    // An operator's own entry represents one upstream model: another model would not match its name and form.
    else if (!model.id.startsWith(specificationNamespace) && isMapped(model))
      skipped.push(leftOut(model, sentence("left_out_own_route")));
    else mapped.push(model.id);
  }
  return { mapped, skipped };
}

function leftOut({ id }: RoutableModel, code: Sentence): RouteMapAllResult["skipped"][number] {
  return { model: id, reason: englishOf(code).replace(/^is \S+, but /, ""), reason_codes: [code] };
}

function reasonOf({ at, code }: RouteProblem, model: RoutableModel, requested: RouteMapAll): Sentence {
  if (at !== ".regions") return code;
  const regions = model.available_regions.join(" and ");
  return requested.regions
    ? sentence("left_out_regions", { regions })
    : sentence("left_out_regions_without_key", { regions, provider: requested.provider });
}

/**
 * Removes an operation of these models from a route. Returns what remains: a route for its other models, one
 * for the other operations of these models, both, or nothing.
 */
function routesWithout(
  row: RouteRow,
  models: readonly string[],
  { api_type: kind }: RouteMapAll,
): NamedRoute[] {
  const { entry } = row;
  if (entry.api_types && !entry.api_types.includes(kind)) return [named(row)];
  const others = entry.models.filter((id) => !models.includes(id));
  if (others.length === entry.models.length) return [named(row)];
  const otherKinds = entry.api_types?.filter((one) => one !== kind);
  const same = entry.models.filter((id) => models.includes(id));
  const rest = otherKinds?.length ? [{ entry: { ...entry, models: same, api_types: otherKinds } }] : [];
  return others.length > 0 ? [{ id: row.id, entry: { ...entry, models: others } }, ...rest] : rest;
}

function named({ id, entry }: RouteRow): NamedRoute {
  return { id, entry };
}

/**
 * The request that a route would send upstream, for the entry's example or another input. Sends nothing.
 * Throws `invalid_parameter` naming the place of a problem in the route or the input.
 */
async function previewRoute(context: ModelsContext, asked: RoutePreviewRequest): Promise<RoutePreview> {
  const { route } = asked;
  const reading = context.configuration.current;
  const { connections } = reading.configuration;
  const connection = connections.find(({ name }) => name === route.provider);
  const provider = keyedProvider(connections, route.provider);
  const { mappings, problems } = expandRoute(route, provider, routableModels(reading));
  const [problem] = [...connectionProblems(connections, route.provider), ...problems];
  if (problem || !connection)
    throw refusal(`route${problem?.at ?? ""}`, problem?.problem ?? "cannot be used");
  const target = mappings.find(
    ({ modelId, apiType, region }) =>
      modelId === (asked.model ?? modelId) &&
      apiType === (asked.api_type ?? apiType) &&
      region === (asked.region ?? region),
  );
  const compiled = target && context.catalog.operation(target.modelId, target.apiType, everyone);
  if (!compiled) throw refusal("model", "names no model that this route serves in this region");
  const { model, operation } = compiled;
  const body = checkedBody(compiled, asked.input ?? operation.example);
  const unlisted = new Set([...compiled.unlisted(body), "model", "region"]);
  const input = Object.fromEntries(Object.entries(body).filter(([name]) => !unlisted.has(name)));
  const { region } = target;
  const parts = { connection, route, compiled, region, body, input };
  const request = await previewRequest(context, parts).catch((error: unknown) => {
    throw error instanceof ProviderError ? refusal(error.param ?? "input", error.message) : error;
  });
  if (!request) throw refusal("input", "is answered by the gateway itself, so nothing is sent");
  return {
    object: "route_preview",
    model: model.id,
    api_type: operation.api_type,
    region,
    input: { ...body, model: model.id },
    request,
  };
}

function checkedBody(compiled: CompiledOperation, given: Record<string, unknown>): Record<string, unknown> {
  const body = structuredClone({ ...given, model: compiled.model.id });
  const [first] = compiled.validate(body);
  if (first) throw refusal(`input${first.path.replaceAll("/", ".")}`, first.message);
  return body;
}

function refusal(param: string, problem: string): ApiError {
  return invalidParameter(param, `${param} ${problem}`);
}
