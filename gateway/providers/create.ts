import type { Logger } from "pino";
import type { CatalogModel, CatalogOperation, RegionName } from "#contract/catalog.ts";
import { Deployments } from "#gateway/catalog/deployments.ts";
import type { Config } from "#gateway/core/config.ts";
import { ProviderError } from "#gateway/core/provider-error.ts";
import type { Database } from "#gateway/database/database.ts";
import { checkProvidersFile, type Mapping } from "./file/check.ts";
import { readProvidersFile } from "./file/read.ts";
import type { Provider } from "./provider.ts";
import type { Providers } from "./providers.ts";
import { createMappedProviders } from "./upstreams/create-mapped.ts";
import { inTurn } from "./upstreams/in-turn.ts";

interface Options {
  config: Config;
  database: Database;
  log: Logger;
  models: readonly CatalogModel[];
  /** Runs what is mapped to no upstream. */
  sandbox: Provider;
  environment?: Record<string, string | undefined>;
}

/**
 * The providers of this gateway: the upstreams that the providers file maps operations to, and the built-in sandbox for
 * operations that it maps nowhere. Throws ConfigError for a file that cannot be used.
 */
export function createProviders(options: Options): Providers {
  const { config, database, log, models, sandbox, environment = process.env } = options;
  const path = config.providersFile;
  const file = path === null ? { providers: {}, routes: [] } : readProvidersFile(path);
  const mappings = path === null ? [] : checkProvidersFile(file, { path, models, environment });
  const mapped = createMappedProviders({ file, mappings, environment, config, database, log });
  const breakers = new Deployments();
  const names = new Map<Provider, string>();
  for (const [index, provider] of mapped.ofRoute) names.set(provider, `route ${index}`);

  const mappingsOf = (model: CatalogModel, operation: CatalogOperation): Mapping[] =>
    mappings.filter(({ modelId, apiType }) => modelId === model.id && apiType === operation.api_type);
  const isOpen = (provider: Provider, region: RegionName): boolean =>
    breakers.status(names.get(provider) ?? "", region) === "unhealthy";

  return {
    route(model, operation, region) {
      const routes = mappingsOf(model, operation);
      if (routes.length === 0) return file.unmapped === "refuse" ? [] : [sandbox];
      const here = routes.filter((mapping) => mapping.region === region);
      const found = inTurn(here).flatMap(({ entry }) => mapped.ofEntry(entry));
      // An upstream whose breaker is open is tried last.
      return [
        ...found.filter((provider) => !isOpen(provider, region)),
        ...found.filter((provider) => isOpen(provider, region)),
      ];
    },
    regions(model, operation) {
      const routes = mappingsOf(model, operation);
      if (routes.length > 0) return [...new Set(routes.map(({ region }) => region))];
      return file.unmapped === "refuse" ? [] : null;
    },
    report(provider, region, outcome) {
      const name = names.get(provider);
      if (name !== undefined) breakers.breaker(name, region).report(outcome);
    },
    byRef(ref) {
      const provider = ref.provider === sandbox.id ? sandbox : mapped.byName.get(ref.provider);
      if (provider) return provider;
      throw new ProviderError(
        "service_unavailable",
        `The provider ${ref.provider} of this run is no longer in the providers file.`,
        { started: "yes" },
      );
    },
    openOutput: (provider, url, signal) => mapped.upstreamOf(provider).openOutput(url, signal),
    async close() {
      await sandbox.close?.();
      await mapped.close();
    },
  };
}
