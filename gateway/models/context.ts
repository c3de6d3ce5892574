import type { FilesContext } from "#gateway/files/context.ts";
import type { AliasBook } from "./aliases/book.ts";
import type { Catalog } from "./catalog/catalog.ts";
import type { FollowedConfiguration } from "./configuration/follow.ts";
import type { UpstreamHealth } from "./providers/health/upstream-health.ts";
import type { Providers } from "./providers/providers.ts";

export interface ModelsContext extends FilesContext {
  catalog: Catalog;
  aliases: AliasBook;
  providers: Providers;
  health: UpstreamHealth;
  /** Has the providers' keys in clear. */
  configuration: FollowedConfiguration;
}
