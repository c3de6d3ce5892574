import type { OperatorRoute, RouteEntry, RouteTable } from "#contract/operator/routes.ts";
import type { Context } from "#gateway/context.ts";
import type { Mapping } from "#gateway/models/providers/configuration.ts";
import type { RouteProblem } from "#gateway/models/providers/file/expand-route.ts";
import { goOnWhenOf } from "#gateway/models/providers/upstreams/go-on-when.ts";
import type { Reading } from "../read-configuration.ts";
import { targetOf } from "./read-routes.ts";

/** The routes that this process works by: the file's, which are only read here, and those of the console. */
export function routeTable({ configuration }: Pick<Context, "configuration">): RouteTable {
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
    problem: problemOf(problems),
    serves: mappings.map(targetOf),
    overruled: [],
  }));
}

function consoleRoutes({ routes }: Reading): OperatorRoute[] {
  return routes.map(({ row, mappings, overruled, problems }) => ({
    ...viewOf(row.entry, [...mappings, ...overruled]),
    id: row.id,
    managed_by: "console",
    problem: problemOf(problems),
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
    continue_streams: entry.continue_streams ?? false,
    accepts_prefill: entry.accepts_prefill ?? false,
    next_after_500: goOnWhen.includes("failed"),
  };
}

function problemOf([first]: readonly RouteProblem[]): string | null {
  return first ? `${first.at.replace(/^\./, "")} ${first.problem}` : null;
}
