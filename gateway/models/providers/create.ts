import type { Logger } from "pino";
import type { RegionName } from "#contract/catalog.ts";
import { textTypes } from "#contract/operator/constants.ts";
import { Deployments } from "#gateway/models/catalog/deployments.ts";
import type { Breaker } from "#gateway/platform/core/breaker.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import { expectCountsOf } from "#gateway/platform/core/counters.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import type { Database } from "#gateway/platform/database/database.ts";
import { emptyConfiguration } from "./configuration.ts";
import type { Conversation } from "./conversation.ts";
import type { UpstreamHealth } from "./health/upstream-health.ts";
import { inTurn } from "./in-turn.ts";
import type { Provider } from "./provider.ts";
import type { Providers, Routes } from "./providers.ts";
import { type Candidate, Routing } from "./routing.ts";
import { OpenConnections } from "./upstreams/open-connections.ts";

interface Options {
  config: Config;
  database: Database;
  log: Logger;
  health: UpstreamHealth;
  /** Runs operations that are mapped to no upstream. */
  sandbox: Provider;
}

/**
 * The gateway's providers: the upstreams that a configuration maps operations to, and the built-in sandbox
 * for unmapped operations. Until `use` is called there is only the sandbox.
 */
export function createProviders({ sandbox, ...options }: Options): Providers {
  const connections = new OpenConnections(options);
  const breakers = new Deployments(clock.now);
  const breakerNames = new WeakMap<Provider, string>();

  const isOpen = (name: string, region: RegionName, runsTwice: boolean): boolean => {
    const breaker = breakers.breaker(name, region);
    return !(runsTwice ? breaker.isPassableForSpared : breaker.isPassable);
  };
  const breakerOf = (provider: Provider, region: RegionName): Breaker | null => {
    const name = breakerNames.get(provider);
    return name === undefined ? null : breakers.breaker(name, region);
  };
  const routesOf = (routing: Routing): Routes => ({
    route(_model, operation, region, conversation) {
      const candidates = routing.find(operation, region);
      if (candidates === null) return routing.unmapped === "refuse" ? [] : [sandbox];
      const found = inOrder(candidates, conversation);
      for (const { provider, breakerName } of found) breakerNames.set(provider, breakerName);
      if (found.length === 1) return found.map(({ provider }) => provider);
      const runsTwice = textTypes.includes(operation.api_type);
      const open = found.filter(({ breakerName }) => isOpen(breakerName, region, runsTwice));
      return [...found.filter((one) => !open.includes(one)), ...open].map(({ provider }) => provider);
    },
    favourite: (operation, region, conversation) =>
      inOrder(routing.find(operation, region) ?? [], conversation)[0]?.provider,
    regions(_model, operation) {
      const mapped = routing.regions(operation);
      if (mapped !== null) return [...mapped];
      return routing.unmapped === "refuse" ? [] : null;
    },
  });
  let routing = new Routing(emptyConfiguration, new Map());
  let routes = routesOf(routing);
  let names: string[] = [];

  return {
    use(configuration) {
      routing = new Routing(configuration, connections.use(configuration.connections));
      options.health.pauses.clear();
      routes = routesOf(routing);
      names = configuration.connections.map(({ name }) => name);
      for (const name of names) expectCountsOf(name);
    },
    openBreakers() {
      const open = new Map(names.map((name) => [name, 0]));
      for (const breakerName of breakers.open()) {
        const [name = ""] = breakerName.split(" ", 1);
        if (open.has(name)) open.set(name, (open.get(name) ?? 0) + 1);
      }
      return open;
    },
    get serving() {
      return routing.serving;
    },
    routes: () => routes,
    route: (...asked) => routes.route(...asked),
    favourite: (...asked) => routes.favourite(...asked),
    regions: (...asked) => routes.regions(...asked),
    breaker: breakerOf,
    isRouteFree: (model, operation, region) =>
      routes.route(model, operation, region).some((one) => breakerOf(one, region)?.isPassable === true),
    byRef(ref) {
      const provider = ref.provider === sandbox.id ? sandbox : routing.byName(ref.provider);
      if (provider) return provider;
      throw new ProviderError(
        "service_unavailable",
        `The provider ${ref.provider} of this run is no longer connected. Start a new run.`,
        { started: "yes" },
      );
    },
    keyRing: (provider, region) => routing.ringOf(provider, region),
    openOutput: (provider, url, signal) => routing.upstreamOf(provider).openOutput(url, signal),
    async close() {
      await sandbox.close?.();
      await connections.close();
    },
  };
}

function inOrder(candidates: readonly Candidate[], conversation: Conversation | undefined): Candidate[] {
  const draw = ({ target }: Candidate) =>
    conversation && target !== null ? conversation.draw(target) : Math.random();
  return inTurn(candidates, draw);
}
