import type { ApiType, RegionName } from "#contract/catalog.ts";
import { onlyKeyName } from "#contract/operator/constants.ts";
import type { ProviderEntry, RouteEntry } from "./file/schema.ts";

/** What the providers work by: one immutable value, replaced as a whole when somebody changes it. */
export interface Configuration {
  /** What happens to operations without a route. */
  unmapped: "sandbox" | "refuse";
  connections: readonly Connection[];
  mappings: readonly Mapping[];
}

/** A provider with its keys, from the providers file or from an operator. */
export interface Connection {
  name: string;
  /** Names that it had before: what runs there since then is found by them. */
  formerNames?: readonly string[];
  entry: Omit<ProviderEntry, "credentials">;
  /** Of each region that it serves: at least one. */
  keys: ReadonlyMap<RegionName, readonly RegionKey[]>;
  /** Whether its addresses may be private ones or plain http. */
  allowPrivate: boolean;
  /** It takes nothing new; what runs there is polled to its end. */
  isLeaving: boolean;
  /** Nothing is known to run there any more. It is kept a while for a job that was just being started. */
  isGone?: true;
}

/** A key of a provider in a region. */
export interface RegionKey {
  name: string;
  /** Null for an upstream without keys. */
  secret: string | null;
  /** Of the calls, among the keys of the region; with 0 it is used when no other can. */
  share: number;
  /** Calls that this process begins in a minute; null: any number. */
  perMinute: number | null;
  /** Calls of this process under way at once; null: any number. */
  concurrency: number | null;
}

/** The only key of a region. */
export function onlyKey(secret: string | null): RegionKey[] {
  return [{ name: onlyKeyName, secret, share: 1, perMinute: null, concurrency: null }];
}

/** One route for one operation in one region. */
export interface Mapping {
  modelId: string;
  apiType: ApiType;
  region: RegionName;
  /** A provider that does not exist makes the operation mapped and not served: it never falls back to the sandbox. */
  providerName: string;
  /** Lower is tried first. */
  priority: number;
  /** Its share among equals of the same priority. */
  weight: number | null;
  /** Mappings of one route share this object. */
  entry: RouteEntry;
}

export const emptyConfiguration: Configuration = { unmapped: "sandbox", connections: [], mappings: [] };
