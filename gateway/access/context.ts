import type { CatalogModel } from "#contract/catalog.ts";
import type { BillingContext } from "#gateway/billing/context.ts";
import type { Credentials, KnownOrigins } from "./accounts/credentials.ts";
import type { NetworkRule } from "./accounts/networks/rule.ts";
import type { ContentRecorder } from "./contents/recorder.ts";

export interface AccessContext extends BillingContext {
  credentials: Credentials;
  origins: KnownOrigins;
  networks: NetworkRule;
  /** Writes what calls said, for accounts that keep it. */
  contents: ContentRecorder;
  /** The models that keys and connections may name. */
  catalog: KnownModels;
}

/** The part of the catalog that this district and those of files know. */
export interface KnownModels {
  has(id: string, accountId: string): boolean;
  model(id: string, accountId: string): CatalogModel | null;
}
