import type { Logger } from "pino";
import type { Config } from "#gateway/core/config.ts";
import { ProviderError } from "#gateway/core/provider-error.ts";
import type { Database } from "#gateway/database/database.ts";
import type { Mapping } from "../file/check.ts";
import type { ProviderEntry, ProvidersFile, RouteEntry } from "../file/schema.ts";
import { protocolOf } from "../protocols.ts";
import type { Provider } from "../provider.ts";
import { settingsOf } from "./settings.ts";
import { Upstream } from "./upstream.ts";

interface Options {
  file: ProvidersFile;
  mappings: readonly Mapping[];
  environment: Record<string, string | undefined>;
  config: Config;
  database: Database;
  log: Logger;
}

export interface MappedProviders {
  /** By the index of a route in the file. */
  ofRoute: Map<number, Provider>;
  ofEntry(entry: RouteEntry): Provider[];
  /** One for each entry of the file, even without routes: running jobs must still be found. */
  byName: Map<string, Provider>;
  /** Throws ProviderError for a provider that is not in the file. */
  upstreamOf(name: string): Upstream;
  close(): Promise<void>;
}

/** Creates the providers of a checked file: one upstream with its connections per entry, one provider per route. */
export function createMappedProviders(options: Options): MappedProviders {
  const { file, log } = options;
  const ofRoute = new Map<number, Provider>();
  const byName = new Map<string, Provider>();
  const upstreams: Upstream[] = [];
  for (const [name, entry] of Object.entries(file.providers) as [string, ProviderEntry][]) {
    const upstream = new Upstream(settingsOf(name, entry, options.environment, log));
    upstreams.push(upstream);
    warnOfPlainText(name, entry, log);
    const make = providerMaker(options, entry, upstream);
    for (const [index, route] of file.routes.entries())
      if (route.provider === name) ofRoute.set(index, make(route));
    const index = file.routes.findIndex((route) => route.provider === name);
    byName.set(name, ofRoute.get(index) ?? make(null));
  }
  if (file.routes.length > 0)
    log.info({ providers: Object.keys(file.providers), routes: file.routes.length }, "providers file read");
  return {
    ofRoute,
    byName,
    ofEntry(entry) {
      const provider = ofRoute.get(file.routes.indexOf(entry));
      return provider ? [provider] : [];
    },
    upstreamOf(name) {
      const upstream = upstreams.find((one) => one.name === name);
      if (!upstream)
        throw new ProviderError("service_unavailable", `The provider ${name} is not in the providers file.`);
      return upstream;
    },
    async close() {
      for (const upstream of upstreams) await upstream.close();
    },
  };
}

function providerMaker(
  { mappings, config, database }: Options,
  entry: ProviderEntry,
  upstream: Upstream,
): (route: RouteEntry | null) => Provider {
  const own = mappings.filter(({ providerName }) => providerName === upstream.name);
  const make = protocolOf(entry.protocol).open({
    entry,
    database,
    fetchOutput: (url, signal) => upstream.openOutput(url, signal),
  });
  return (route) =>
    make({
      upstream,
      model: route?.upstream_model ?? "",
      path: route?.path,
      fields: route?.fields,
      media: { ...upstream.settings, config },
      modelNameOf: (id, region) =>
        own.find((one) => one.modelId === id && one.region === region)?.entry.upstream_model ?? null,
      catalogIdOf: (name, region) =>
        own.find((one) => one.entry.upstream_model === name && one.region === region)?.modelId ?? null,
    });
}

/** A key over plain HTTP is fine on this machine and nowhere else. */
function warnOfPlainText(name: string, entry: ProviderEntry, log: Logger): void {
  const keyed = Object.values(entry.credentials).some((credential) => credential?.env !== undefined);
  for (const text of [entry.base_url, ...Object.values(entry.base_urls ?? {})]) {
    const url = text === undefined ? null : URL.parse(text);
    if (keyed && url?.protocol === "http:" && !/^(localhost|127\.|\[::1\])/.test(url.hostname))
      log.warn({ provider: name }, "the key of this provider is sent unencrypted: its base URL is http");
  }
}
