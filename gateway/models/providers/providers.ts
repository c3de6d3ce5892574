import type { Readable } from "node:stream";
import type { CatalogModel, CatalogOperation, RegionName } from "#contract/catalog.ts";
import type { Serving } from "#gateway/models/catalog/serving.ts";
import type { Passage } from "#gateway/platform/core/breaker.ts";
import type { ProviderRef } from "#gateway/platform/core/provider-ref.ts";
import type { Configuration } from "./configuration.ts";
import type { Provider } from "./provider.ts";
import type { KeyRing } from "./upstreams/key-ring.ts";

/** Who runs what. */
export interface Routes {
  /**
   * The providers for an operation in a region, best first: the upstreams that are mapped to it, or the sandbox if
   * the operation is mapped nowhere. One whose breaker is open comes last, or in its place where a request that may run twice can probe it.
   * Empty if it is mapped, but not in this region: a real model is never replaced
   * by the sandbox.
   */
  route(model: CatalogModel, operation: CatalogOperation, region: RegionName): Provider[];
  /** The regions in which an operation is mapped to an upstream; null when the sandbox runs it, in every region. */
  regions(model: CatalogModel, operation: CatalogOperation): RegionName[] | null;
}

/** The providers of this gateway and which of them runs what now. */
export interface Providers extends Routes {
  /** Replaces what they work by, at once. What runs keeps the providers that it took. */
  use(configuration: Configuration): void;
  /** Who runs what, for the catalog. */
  readonly serving: Serving;
  /** The routes of now, which a request keeps until it has ended, whatever is changed meanwhile. */
  routes(): Routes;
  /** Before a provider is asked whose breaker may be open: the request is its probe then. */
  enter(provider: Provider, region: RegionName): Passage | null;
  /**
   * Reports to the breaker of an upstream; one with an open breaker is tried last. Returns until when that is, in ms since
   * the epoch; null while it is closed.
   */
  report(provider: Provider, region: RegionName, outcome: "success" | "failure"): number | null;
  /** The provider of a running job. Throws `service_unavailable` when it is not connected any more. */
  byRef(ref: ProviderRef): Provider;
  /** The keys of a provider in a region, where it has several. */
  keyRing(provider: string, region: RegionName): KeyRing | null;
  /** Opens an output at the URL in a provider's answer, by the rules of that provider. Throws ProviderError. */
  openOutput(provider: string, url: string, signal: AbortSignal): Promise<Readable>;
  close(): Promise<void>;
}
