import type { Readable } from "node:stream";
import type { CatalogModel, CatalogOperation, RegionName } from "#contract/catalog.ts";
import type { ProviderRef } from "#gateway/core/provider-ref.ts";
import type { Provider } from "./provider.ts";

/** The providers of this gateway and which of them runs what. */
export interface Providers {
  /**
   * The providers for an operation in a region, best first: the upstreams that are mapped to it, or the sandbox where
   * the operation is mapped nowhere. Empty where it is mapped, but not in this region: a real model is never replaced
   * by the sandbox.
   */
  route(model: CatalogModel, operation: CatalogOperation, region: RegionName): Provider[];
  /** The regions in which an operation is mapped to an upstream; null when the sandbox runs it, in every region. */
  regions(model: CatalogModel, operation: CatalogOperation): RegionName[] | null;
  /** Feeds the breaker of an upstream; one that is open is asked last. */
  report(provider: Provider, region: RegionName, outcome: "success" | "failure"): void;
  /** The provider that holds a running job. Throws `service_unavailable` when it was taken out of the file. */
  byRef(ref: ProviderRef): Provider;
  /** Opens an output under the URL that a provider's answer named, by the rules of that provider. Throws ProviderError. */
  openOutput(provider: string, url: string, signal: AbortSignal): Promise<Readable>;
  close(): Promise<void>;
}
