import type { CatalogOperation, RegionName } from "#contract/catalog.ts";
import type { Serving } from "#gateway/models/catalog/catalog.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import type { Configuration } from "./configuration.ts";
import type { RouteEntry } from "./file/schema.ts";
import { protocolOf } from "./protocols.ts";
import type { Provider } from "./provider.ts";
import type { KeyRing } from "./upstreams/key-ring.ts";
import type { OpenConnection } from "./upstreams/open-connections.ts";
import type { Upstream } from "./upstreams/upstream.ts";

/** A provider that can run an operation in a region, with its place in the order of tries. */
export interface Candidate {
  provider: Provider;
  /**
   * The name of its breaker. It changes with the provider's key or address, so that a changed provider starts
   * with a closed breaker.
   */
  breakerName: string;
  priority: number;
  weight: number | null;
  /** Its name in the draw for a conversation; null: it is drawn at random. */
  target: string | null;
}

/** A configuration with look-ups: built once and immutable, so that runs in progress can keep it. */
export class Routing {
  readonly unmapped: Configuration["unmapped"];
  private readonly opened: ReadonlyMap<string, OpenConnection>;
  /** Connections by their former names. */
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
      // The protocol may not support the operation, for example if a new provider has the name of one with
      // another protocol.
      if (!protocolOf(connection.connection.entry.protocol).kinds.includes(apiType)) continue;
      const provider = ofRoute.get(entry) ?? connection.providerFor(entry, mappings);
      ofRoute.set(entry, provider);
      if (!regions.includes(region)) regions.push(region);
      const breakerName = `${providerName} ${entry.upstream_model} ${connection.serial}`;
      const key = keyOf(operation, region);
      // Routes to the same model of a provider are numbered, because each has its own share.
      const twins = this.candidates.get(key)?.filter((one) => one.breakerName === breakerName) ?? [];
      const target =
        entry.affinity === "off" ? null : `${providerName}\n${entry.upstream_model}\n${twins.length}`;
      push(this.candidates, key, { provider, breakerName, priority, weight, target });
    }
  }

  get serving(): Serving {
    return { unmapped: this.unmapped === "refuse" ? "none" : "sandbox", regions: this.regionsOf };
  }

  /** The candidates for all operations in all regions. */
  all(): Candidate[] {
    return [...this.candidates.values()].flat();
  }

  /** The candidates for an operation in a region; null if the operation is not mapped anywhere. */
  find(operation: CatalogOperation, region: RegionName): readonly Candidate[] | null {
    if (!this.regionsOf.has(operation.id)) return null;
    return this.candidates.get(keyOf(operation.id, region)) ?? [];
  }

  /** The regions where an operation is served; null if it is not mapped anywhere. */
  regions(operation: CatalogOperation): readonly RegionName[] | null {
    return this.regionsOf.get(operation.id) ?? null;
  }

  /**
   * A provider with this current or former name, with or without routes: running jobs must still be found.
   */
  byName(name: string): Provider | undefined {
    const known = this.anyProvider.get(name);
    if (known) return known;
    const fresh = this.connectionOf(name)?.providerFor(null, []);
    if (fresh) this.anyProvider.set(name, fresh);
    return fresh;
  }

  /** Throws ProviderError if the provider no longer exists. */
  upstreamOf(name: string): Upstream {
    const connection = this.connectionOf(name);
    if (connection) return connection.upstream;
    throw new ProviderError("service_unavailable", `The provider ${name} is no longer connected.`);
  }

  /** The keys of a provider in a region, if it has several. */
  ringOf(name: string, region: RegionName): KeyRing | null {
    return this.connectionOf(name)?.upstream.ringOf(region) ?? null;
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
