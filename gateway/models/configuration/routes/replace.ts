import { isDeepStrictEqual } from "node:util";
import { newId } from "#contract/ids.ts";
import type { OperatorRoute, RouteEntry, RouteTable, RouteTableUpdate } from "#contract/operator/routes.ts";
import type { ModelsContext } from "#gateway/models/context.ts";
import { type Connection, goOnWhenOf, type Mapping } from "#gateway/models/providers/configuration.ts";
import {
  expandRoute,
  type RoutableModel,
  type RouteProblem,
} from "#gateway/models/providers/file/expand-route.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { routes } from "#gateway/platform/database/schema.ts";
import { type Changed, changeConfiguration } from "../change.ts";
import { presentNames } from "../providers/names.ts";
import { type Reading, readRevision } from "../read-configuration.ts";
import { connectionProblems, keyedProvider, type RouteRow, readRouteRows, targetOf } from "./read-routes.ts";

export interface NamedRoute {
  id?: string | undefined;
  entry: RouteEntry;
}

/**
 * Replaces the console's routes. Throws `invalid_parameter` naming the place of a new or changed route that
 * could not work, and `configuration_changed` if somebody else changed the configuration meanwhile. An
 * unchanged route may have a problem.
 */
export async function replaceRoutes(
  context: ModelsContext,
  caller: Caller,
  { routes: wanted, revision }: RouteTableUpdate,
): Promise<RouteTable> {
  await changeConfiguration(context, caller, async (queries) => {
    // This change has already raised the revision by one.
    const current = (await readRevision(queries)) - 1;
    if (revision !== undefined && revision !== current)
      throw new ApiError(
        "configuration_changed",
        "Somebody has changed the configuration in the meantime. Read the routes again and repeat your change.",
        { param: "revision" },
      );
    return changeRoutes(
      context,
      queries,
      wanted.map(({ id, ...entry }) => ({ id, entry })),
    );
  });
  return routeTable(context);
}

/** Replaces the routes as part of a larger change. Throws the errors of the request that replaces them. */
export async function changeRoutes(
  context: ModelsContext,
  queries: Queries,
  wanted: readonly NamedRoute[],
): Promise<Changed<void>> {
  const { connections } = context.configuration.current.configuration;
  const before = await readRouteRows(queries);
  refuseBroken(before, wanted, (entry) => routeProblem(context, connections, entry));
  await writeRoutes(queries, before, wanted);
  return routesChanged(before, await readRouteRows(queries));
}

/** A route in the console's table. */
export interface KnownRoute {
  id: string;
  entry: RouteEntry;
}

/** The audit row's content for a change of the table. Only routes that differ count as affected. */
export function routesChanged(before: readonly RouteRow[], after: readonly RouteRow[]): Changed<void> {
  const knownOf = (rows: readonly RouteRow[]): KnownRoute[] => rows.map(({ id, entry }) => ({ id, entry }));
  const [was, is] = [knownOf(before), knownOf(after)];
  return {
    action: "routes.updated",
    targetId: "routes",
    touches: touchedRoutes(was, is),
    before: snapshotOf(was),
    after: snapshotOf(is),
    result: undefined,
  };
}

/** The ids of routes that were added, removed or changed; all of them if the order changed. */
export function touchedRoutes(before: readonly KnownRoute[], after: readonly KnownRoute[]): string[] {
  const [was, is] = [entriesOf(before), entriesOf(after)];
  const all = [...new Set([...was.keys(), ...is.keys()])];
  const kept = [...was.keys()].filter((id) => is.has(id));
  const stillKept = [...is.keys()].filter((id) => was.has(id));
  if (!isDeepStrictEqual(kept, stillKept)) return all;
  return all.filter((id) => !isDeepStrictEqual(was.get(id), is.get(id)));
}

function entriesOf(routes: readonly KnownRoute[]): Map<string, RouteEntry> {
  return new Map(routes.map(({ id, entry }) => [id, entry]));
}

/** The form in the audit log, which `routesOfSnapshot` reads to undo a change. */
function snapshotOf(named: readonly NamedRoute[]): Record<string, unknown> {
  return { routes: named.map(({ id, entry }) => ({ id, ...entry })) };
}

/** The routes stored in an audit row. */
export function routesOfSnapshot(snapshot: Record<string, unknown>): KnownRoute[] {
  const kept = snapshot.routes as (RouteEntry & { id: string })[];
  return kept.map(({ id, ...entry }) => ({ id, entry }));
}

/** The routes without these models. */
export function withoutModels(rows: readonly KnownRoute[], left: ReadonlySet<string>): KnownRoute[] {
  return rows.flatMap(({ id, entry }) => {
    const models = entry.models.filter((model) => !left.has(model));
    if (models.length === entry.models.length) return [{ id, entry }];
    return models.length > 0 ? [{ id, entry: { ...entry, models } }] : [];
  });
}

/**
 * Writes the whole table: missing routes are deleted, and the order is that of the list. A route with a
 * provider's former name gets the current one.
 */
export async function writeRoutes(
  queries: Queries,
  before: readonly RouteRow[],
  wanted: readonly NamedRoute[],
): Promise<void> {
  const known = new Map(before.map((row) => [row.id, row]));
  const present = await presentNames(queries);
  const values = wanted.map(({ id, entry: requested }, position) => {
    const entry = { ...requested, provider: present(requested.provider) };
    const row = id === undefined ? undefined : known.get(id);
    const isSame = row !== undefined && isDeepStrictEqual(row.entry, entry);
    return {
      id: id ?? newId("route"),
      position,
      entry,
      createdAt: row?.createdAt ?? clock.date(),
      updatedAt: isSame ? row.updatedAt : clock.date(),
    };
  });
  await queries.delete(routes).where(sql`true`);
  if (values.length > 0) await queries.insert(routes).values(values);
}

/** Why a route could not work; undefined if it can. */
function routeProblem(
  { configuration }: Pick<ModelsContext, "configuration">,
  connections: readonly Connection[],
  entry: RouteEntry,
): RouteProblem | undefined {
  return routeProblems(entry, connections, routableModels(configuration.current))[0];
}

/** Every entry that a route may name, listed or not. */
export function routableModels({ entries }: Pick<Reading, "entries">): RoutableModel[] {
  return entries.map(({ id, regions, operations }) => ({ id, available_regions: regions, operations }));
}

/** The problems of a route with these connections and models. */
export function routeProblems(
  entry: RouteEntry,
  connections: readonly Connection[],
  models: readonly RoutableModel[],
): RouteProblem[] {
  const { problems } = expandRoute(entry, keyedProvider(connections, entry.provider), models);
  return [...connectionProblems(connections, entry.provider), ...problems];
}

function refuseBroken(
  before: readonly RouteRow[],
  wanted: readonly NamedRoute[],
  problemOf: (entry: RouteEntry) => RouteProblem | undefined,
): void {
  const known = new Map(before.map(({ id, entry }) => [id, entry]));
  const used = new Set<string>();
  for (const [index, { id, entry }] of wanted.entries()) {
    const refuse = (at: string, problem: string): never => {
      const param = `routes[${index}]${at}`;
      throw invalidParameter(param, `${param} ${problem}`);
    };
    if (id !== undefined && !known.has(id))
      refuse(".id", `is "${id}", which is not a route made in the console`);
    if (id !== undefined && used.has(id)) refuse(".id", `is "${id}", which another route also has`);
    if (id !== undefined) used.add(id);
    if (id !== undefined && isDeepStrictEqual(known.get(id), entry)) continue;
    const wrong = problemOf(entry);
    if (wrong) refuse(wrong.at, wrong.problem);
  }
}

/**
 * The routes that this process uses: those of the file, which are read-only here, and those of the console.
 */
export function routeTable({ configuration }: Pick<ModelsContext, "configuration">): RouteTable {
  const reading = configuration.current;
  return {
    object: "list",
    data: [...fileRoutes(reading), ...consoleRoutes(reading)],
    revision: reading.revision,
    unmapped: reading.configuration.unmapped,
  };
}

function fileRoutes({ file }: Reading): OperatorRoute[] {
  return (file?.routes ?? []).map(({ entry, mappings, problems }, index) => ({
    ...viewOf(entry, mappings),
    id: `file:${index}`,
    managed_by: "file",
    ...problemOf(problems),
    serves: mappings.map(targetOf),
    overruled: [],
  }));
}

function consoleRoutes({ routes }: Reading): OperatorRoute[] {
  return routes.map(({ row, mappings, overruled, problems }) => ({
    ...viewOf(row.entry, [...mappings, ...overruled]),
    id: row.id,
    managed_by: "console",
    ...problemOf(problems),
    serves: mappings.map(targetOf),
    overruled: overruled.map(targetOf),
  }));
}

function viewOf(entry: RouteEntry, mappings: readonly Mapping[]) {
  const goOnWhen = goOnWhenOf(
    entry,
    mappings.map(({ apiType }) => apiType),
  );
  return {
    object: "route" as const,
    models: entry.models,
    api_types: entry.api_types ?? null,
    regions: entry.regions ?? null,
    provider: entry.provider,
    upstream_model: entry.upstream_model,
    priority: entry.priority ?? 0,
    weight: entry.weight ?? null,
    path: entry.path ?? null,
    fields: entry.fields ?? null,
    go_on_when: [...goOnWhen],
    thinks_silently: entry.thinks_silently ?? null,
    wait_for_retry_after_ms: entry.wait_for_retry_after_ms ?? 0,
    malformed_events: entry.malformed_events ?? "fail",
    unfinished_answers: entry.unfinished_answers ?? "fail",
    continue_streams: entry.continue_streams ?? false,
    accepts_prefill: entry.accepts_prefill ?? false,
    affinity: entry.affinity ?? "on",
    cache_breakpoint: entry.cache_breakpoint ?? false,
    next_after_500: goOnWhen.includes("failed"),
  };
}

function problemOf([first]: readonly RouteProblem[]): Pick<OperatorRoute, "problem" | "problem_codes"> {
  if (!first) return { problem: null };
  const at = first.at.replace(/^\./, "");
  return { problem: `${at} ${first.problem}`, problem_codes: [{ ...first.code, at }] };
}

/**
 * The table with these routes restored: changed back, removed, or inserted again after their former
 * predecessor.
 */
export function withFormerRoutes(
  current: readonly KnownRoute[],
  before: readonly KnownRoute[],
  touched: ReadonlySet<string>,
): KnownRoute[] {
  const was = entriesOf(before);
  const result = current.filter(({ id }) => !touched.has(id));
  for (const [index, { id }] of before.entries()) {
    if (!touched.has(id)) continue;
    const earlier = new Set(before.slice(0, index).map((route) => route.id));
    const place = result.findLastIndex((route) => earlier.has(route.id)) + 1;
    result.splice(place, 0, { id, entry: was.get(id) as RouteEntry });
  }
  return result;
}
