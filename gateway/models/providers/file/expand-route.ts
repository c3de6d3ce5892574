import type { ApiType, RegionName } from "#contract/catalog.ts";
import type { Sentence } from "#contract/sentences.ts";
import { englishOf, sentence } from "#gateway/platform/core/sentences.ts";
import type { Mapping } from "../configuration.ts";
import { protocolOf } from "../protocols.ts";
import type { RouteEntry } from "./schema.ts";

/** The parts of an entry that a route needs. */
export interface RoutableModel {
  id: string;
  available_regions: readonly RegionName[];
  operations: readonly { api_type: ApiType }[];
}

/** The parts of a provider that a route needs. */
export interface KeyedProvider {
  protocol: string;
  /** The regions that it has credentials for. */
  regions: readonly RegionName[];
}

export interface RouteProblem {
  /** The place in the route, such as `.regions[1]`. */
  at: string;
  /** The sentence that follows the place. */
  code: Sentence;
  problem: string;
  /** The entry with the problem. */
  entry?: string;
}

export function routeProblem(at: string, code: Sentence, entry?: string): RouteProblem {
  return { at, code, problem: englishOf(code), ...(entry !== undefined && { entry }) };
}

/**
 * Expands a route to its operations in each region, with the route's problems. An operation that the route
 * cannot serve still counts as mapped: it is refused and never runs on the sandbox.
 */
export function expandRoute(
  route: RouteEntry,
  provider: KeyedProvider | null,
  models: readonly RoutableModel[],
): { mappings: Mapping[]; problems: RouteProblem[] } {
  const problems: RouteProblem[] = [];
  const complain = (...problem: Parameters<typeof routeProblem>) =>
    void problems.push(routeProblem(...problem));
  if (route.go_on_when && route.next_after_500 !== undefined)
    complain(".next_after_500", sentence("route_repeats_rule"));
  const keyed = provider?.regions ?? null;
  if (keyed)
    for (const [at, region] of (route.regions ?? []).entries())
      if (!keyed.includes(region))
        complain(
          `.regions[${at}]`,
          sentence("route_region_without_key", { region, provider: route.provider }),
        );
  const mappings = route.models.flatMap((id, at): Mapping[] => {
    const model = models.find((candidate) => candidate.id === id);
    if (!model) {
      complain(`.models[${at}]`, sentence("route_model_unknown", { model: id }), id);
      return [];
    }
    const operations = model.operations.filter(({ api_type }) => route.api_types?.includes(api_type) ?? true);
    if (operations.length === 0)
      complain(".api_types", sentence("route_model_without_operation", { model: id }), id);
    const wrong = provider && operations.find(({ api_type }) => !doesKind(provider, api_type));
    if (wrong)
      complain(
        `.models[${at}]`,
        sentence("route_operation_not_supported", {
          ...{ model: id, protocol: provider.protocol, operation: wrong.api_type },
        }),
        id,
      );
    const wanted = route.regions ?? keyed ?? model.available_regions;
    const regions = wanted.filter((region) => model.available_regions.includes(region));
    if (regions.length === 0)
      complain(
        `.regions`,
        sentence("route_regions_without_model", { model: id, regions: model.available_regions.join(", ") }),
        id,
      );
    return operations.flatMap(({ api_type: apiType }) =>
      (regions.length > 0 ? regions : model.available_regions).map((region) => ({
        modelId: id,
        apiType,
        region,
        providerName: route.provider,
        priority: route.priority ?? 0,
        weight: route.weight ?? null,
        entry: route,
      })),
    );
  });
  for (const [at, region] of (route.regions ?? []).entries())
    if (!mappings.some((mapping) => mapping.region === region))
      complain(
        `.regions[${at}]`,
        sentence("route_region_without_models", { region }),
        route.models.find((id) => !isSpecified(id)),
      );
  return { mappings, problems };
}

/**
 * The first problem that makes a file unusable. A problem with an operator's entry does not, because
 * operators' entries change while the file stays unchanged.
 */
export function refusedOf(problems: readonly RouteProblem[]): RouteProblem | undefined {
  return problems.find(({ entry }) => entry === undefined || isSpecified(entry));
}

/** Whether an entry is the specification's, and so never changes while Gatehouse runs. */
export function isSpecified(modelId: string): boolean {
  return modelId.startsWith("svc/");
}

function doesKind({ protocol }: KeyedProvider, apiType: ApiType): boolean {
  return protocolOf(protocol).kinds.includes(apiType);
}
