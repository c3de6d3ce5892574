import type { ApiType, RegionName } from "#contract/catalog.ts";
import {
  onlyKeyName,
  type RouteReason,
  routeReasons,
  usualRouteReasons,
} from "#contract/operator/constants.ts";
import type { ProviderEntry, RouteEntry } from "./file/schema.ts";

/** The configuration of the providers: one immutable value, replaced as a whole at each change. */
export interface Configuration {
  /** What happens to operations without a route. */
  unmapped: "sandbox" | "refuse";
  connections: readonly Connection[];
  mappings: readonly Mapping[];
}

/** A provider with its keys, from the providers file or from an operator. */
export interface Connection {
  name: string;
  /** Former names, under which earlier runs find it. */
  formerNames?: readonly string[];
  entry: Omit<ProviderEntry, "credentials">;
  /** The keys of each region that the provider serves, at least one per region. */
  keys: ReadonlyMap<RegionName, readonly RegionKey[]>;
  /** Whether its addresses may be private or plain http. */
  allowPrivate: boolean;
  /** True while the provider accepts no new work; runs in progress are polled to their end. */
  isLeaving: boolean;
  /**
   * True once no run of the provider is known to be left. The provider is kept for a while in case a job was
   * just being started.
   */
  isGone?: true;
}

export interface RegionKey {
  name: string;
  /** Null for an upstream without keys. */
  secret: string | null;
  /** The key's share of the calls among the region's keys; 0: used only when no other key can be. */
  share: number;
  /** Calls that this process may start per minute; null: unlimited. */
  perMinute: number | null;
  /** Concurrent calls of this process; null: unlimited. */
  concurrency: number | null;
}

export function onlyKey(secret: string | null): RegionKey[] {
  return [{ name: onlyKeyName, secret, share: 1, perMinute: null, concurrency: null }];
}

/** One route for one operation in one region. */
export interface Mapping {
  modelId: string;
  apiType: ApiType;
  region: RegionName;
  /**
   * If this provider does not exist, the operation counts as mapped but is not served: it never falls back to
   * the sandbox.
   */
  providerName: string;
  /** Lower is tried first. */
  priority: number;
  /** The route's share among routes of the same priority. */
  weight: number | null;
  /** Shared by all mappings of one route. */
  entry: RouteEntry;
}

export const emptyConfiguration: Configuration = { unmapped: "sandbox", connections: [], mappings: [] };

/** The failures after which the next route is tried, for operations of these kinds. */
export function goOnWhenOf(
  { go_on_when: reasons, next_after_500: nextAfter500 }: Pick<RouteEntry, "go_on_when" | "next_after_500">,
  kinds: readonly ApiType[],
): readonly RouteReason[] {
  if (reasons) return reasons;
  const usual = usualRouteReasons(kinds);
  return nextAfter500 ? routeReasons.filter((one) => one === "failed" || usual.includes(one)) : usual;
}
