import type { CatalogModel, CatalogOperation, RegionName } from "#contract/catalog.ts";
import type { Provider, ProviderRef } from "./provider.ts";

/** The providers of this gateway and which of them runs what. */
export interface Providers {
  /** The providers for an operation in a region, best first; never empty, the sandbox stands last. */
  route(model: CatalogModel, operation: CatalogOperation, region: RegionName): Provider[];
  /** The provider that holds a running job. */
  byRef(ref: ProviderRef): Provider;
  close(): Promise<void>;
}
