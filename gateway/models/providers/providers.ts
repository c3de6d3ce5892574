import type { Readable } from "node:stream";
import type { CatalogModel, CatalogOperation, RegionName } from "#contract/catalog.ts";
import type { Serving } from "#gateway/models/catalog/catalog.ts";
import type { Breaker } from "#gateway/platform/core/breaker.ts";
import type { ProviderRef } from "#gateway/platform/core/provider-error.ts";
import type { Configuration } from "./configuration.ts";
import type { Conversation } from "./conversation.ts";
import type { RecentTries } from "./health/recent-tries.ts";
import type { Rank } from "./in-turn.ts";
import type { Provider } from "./provider.ts";
import type { KeyRing } from "./upstreams/key-ring.ts";

/** A provider that could run an operation of a model in a region. */
export interface RoutePlace {
  provider: Provider;
  model: CatalogModel;
  operation: CatalogOperation;
  region: RegionName;
}

/** What a request wishes of its providers. */
export interface Wish {
  accepts(place: RoutePlace): boolean;
  /** Providers of equal rank keep the order that they have without the wish. */
  rankOf(place: RoutePlace): Rank;
  /** Whether no other provider is called if the first one fails. */
  isFirstOnly: boolean;
}

/** Which providers run which operations. */
export interface Routes {
  /**
   * The providers for an operation in a region, best first: the upstreams that are mapped to it, or the
   * sandbox if the operation is not mapped anywhere. A provider with an open breaker comes last, unless a
   * request that may run twice can probe it in its usual place. Empty if the operation is mapped, but not in
   * this region: the sandbox never replaces a real model. A conversation always gets the same order.
   */
  route(
    model: CatalogModel,
    operation: CatalogOperation,
    region: RegionName,
    conversation?: Conversation,
  ): Provider[];
  /** The first of a conversation's providers, whether or not its breaker is open. */
  favourite(
    model: CatalogModel,
    operation: CatalogOperation,
    region: RegionName,
    conversation: Conversation,
  ): Provider | undefined;
  /**
   * The regions in which an operation is mapped to an upstream; null if the sandbox runs it, which it does in
   * every region.
   */
  regions(model: CatalogModel, operation: CatalogOperation): readonly RegionName[] | null;
  /** Whether a request may be sent to one of the routes now, although another one may be probed. */
  isRouteFree(model: CatalogModel, operation: CatalogOperation, region: RegionName): boolean;
  /** The same routes, narrowed and put in order as a request wishes. */
  wishing(wish: Wish): Routes;
  /** The routes without a wish. */
  readonly unwished: Routes;
}

/** The gateway's providers, and which of them run which operations now. */
export interface Providers extends Routes {
  /** Replaces the configuration at once. Runs in progress keep their providers. */
  use(configuration: Configuration): void;
  /** Which upstreams run which operations, for the catalog. */
  readonly serving: Serving;
  /** The current routes; a request keeps them until it ends, whatever changes meanwhile. */
  routes(): Routes;
  /**
   * The breaker of an upstream in a region; null for the sandbox. While it is open, the provider is tried
   * last. Enter it before a call, so that the request counts as the probe, and report the result.
   */
  breaker(provider: Provider, region: RegionName): Breaker | null;
  /** How the tries of the last hour went, by deployment; at most a minute old. */
  recentTries(): Promise<readonly RecentTries[]>;
  /** The provider of a running job. Throws `service_unavailable` if it is no longer connected. */
  byRef(ref: ProviderRef): Provider;
  /** The keys of a provider in a region, if it has several. */
  keyRing(provider: string, region: RegionName): KeyRing | null;
  /** How many breakers of each provider are open now: of its models in their regions. */
  openBreakers(): Map<string, number>;
  /** Opens an output at the URL in a provider's answer, with that provider's rules. Throws ProviderError. */
  openOutput(provider: string, url: string, signal: AbortSignal): Promise<Readable>;
  close(): Promise<void>;
}
