import type { CatalogOperation, RegionName } from "#contract/catalog.ts";
import type { Serving } from "#gateway/catalog/serving.ts";
import { ProviderError } from "#gateway/core/provider-error.ts";
import type { Configuration } from "./configuration.ts";
import type { RouteEntry } from "./file/schema.ts";
import { protocolOf } from "./protocols.ts";
import type { Provider } from "./provider.ts";
import type { OpenConnection } from "./upstreams/open-connections.ts";
import type { Upstream } from "./upstreams/upstream.ts";

/** One candidate for an operation in a region. */
interface Candidate {
  provider: Provider;
  /** Of its breaker: another key or address of the provider starts with a fresh one. */
  breakerName: string;
  priority: number;
  weight: number | null;
}

/** A configuration that can be asked: built once, immutable, so that what runs can keep it. */
export class Routing {
  readonly unmapped: Configuration["unmapped"];
  private readonly opened: ReadonlyMap<string, OpenConnection>;
  /** By the names that they had before. */
  private readonly renamed = new Map<string, OpenConnection>();
  private readonly anyProvider = new Map<string, Provider>();
  private readonly candidates = new Map<string, Candidate[]>();
  private readonly regionsOf = new Map<string, RegionName[]>();

  constructor(
    { unmapped, connections, mappings }: Configuration,
    opened: ReadonlyMap<string, OpenConnection>,
  ) {
    this.unmapped = unmapped;
    this.opened = opened;
    for (const { name, formerNames = [] } of connections)
      for (const former of formerNames) this.renamed.set(former, opened.get(name) as OpenConnection);
    const ofRoute = new Map<RouteEntry, Provider>();
    for (const mapping of mappings) {
      const { modelId, apiType, region, providerName, priority, weight, entry } = mapping;
      const operation = `${modelId}:${apiType}`;
      const regions = this.regionsOf.get(operation) ?? [];
      this.regionsOf.set(operation, regions);
      const connection = opened.get(providerName);
      if (!connection || connection.isLeaving || !connection.connection.keys.has(region)) continue;
      // Such as a provider that was made anew under the name of one with another protocol.
      if (!protocolOf(connection.connection.entry.protocol).kinds.includes(apiType)) continue;
      const provider = ofRoute.get(entry) ?? connection.providerFor(entry, mappings);
      ofRoute.set(entry, provider);
      if (!regions.includes(region)) regions.push(region);
      const breakerName = `${providerName} ${entry.upstream_model} ${connection.serial}`;
      push(this.candidates, keyOf(operation, region), { provider, breakerName, priority, weight });
    }
  }

  get serving(): Serving {
    return { unmapped: this.unmapped === "refuse" ? "none" : "sandbox", regions: this.regionsOf };
  }

  /** Those of its routes; null if the operation is mapped nowhere. */
  find(operation: CatalogOperation, region: RegionName): readonly Candidate[] | null {
    if (!this.regionsOf.has(operation.id)) return null;
    return this.candidates.get(keyOf(operation.id, region)) ?? [];
  }

  /** Where an operation is served; null if it is mapped nowhere. */
  regions(operation: CatalogOperation): readonly RegionName[] | null {
    return this.regionsOf.get(operation.id) ?? null;
  }

  /** A provider that has or had this name, with or without routes: running jobs must still be found. */
  byName(name: string): Provider | undefined {
    const known = this.anyProvider.get(name);
    if (known) return known;
    const fresh = this.connectionOf(name)?.providerFor(null, []);
    if (fresh) this.anyProvider.set(name, fresh);
    return fresh;
  }

  /** Throws ProviderError for a provider that is gone. */
  upstreamOf(name: string): Upstream {
    const connection = this.connectionOf(name);
    if (connection) return connection.upstream;
    throw new ProviderError("service_unavailable", `The provider ${name} is not connected any more.`);
  }

  private connectionOf(name: string): OpenConnection | undefined {
    return this.opened.get(name) ?? this.renamed.get(name);
  }
}

function keyOf(operationId: string, region: RegionName): string {
  return `${operationId} ${region}`;
}

function push<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** What decides the order of routes for the same operation and region. */
interface Ranked {
  priority: number;
  weight: number | null;
}

/**
 * The order in which routes are tried: lower priorities first. Among equals those with weights come first by chance, each as
 * often as its share; without weights they keep their order.
 */
export function inTurn<Route extends Ranked>(routes: readonly Route[], random = Math.random): Route[] {
  if (routes.length < 2) return [...routes];
  const priorities = [...new Set(routes.map(({ priority }) => priority))].sort((one, other) => one - other);
  return priorities.flatMap((priority) =>
    shared(
      routes.filter((route) => route.priority === priority),
      random,
    ),
  );
}

/** A route whose equals have weights counts as 1 without one. */
function shared<Route extends Ranked>(equals: Route[], random: () => number): Route[] {
  if (equals.length < 2 || equals.every(({ weight }) => weight === null)) return equals;
  // The smallest of exponentially distributed draws falls on each in proportion to its weight.
  const draws = new Map(equals.map((route) => [route, drawOf(route.weight ?? 1, random)]));
  return equals.toSorted((one, other) => (draws.get(one) ?? 0) - (draws.get(other) ?? 0));
}

function drawOf(weight: number, random: () => number): number {
  return weight === 0 ? Number.POSITIVE_INFINITY : -Math.log(1 - random()) / weight;
}
