import type { Logger } from "pino";
import type { CatalogModel, CatalogOperation, RegionName } from "#contract/catalog.ts";
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
import { LatestTries } from "./health/recent-tries.ts";
import type { UpstreamHealth } from "./health/upstream-health.ts";
import { inTurn } from "./in-turn.ts";
import type { Provider } from "./provider.ts";
import type { Providers, RoutePlace, Routes, Wish } from "./providers.ts";
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
  const tries = new LatestTries(options.database, options.log);

  const isOpen = (name: string, region: RegionName, runsTwice: boolean): boolean => {
    const breaker = breakers.breaker(name, region);
    return !(runsTwice ? breaker.isPassableForSpared : breaker.isPassable);
  };
  const breakerOf = (provider: Provider, region: RegionName): Breaker | null => {
    const name = breakerNames.get(provider);
    return name === undefined ? null : breakers.breaker(name, region);
  };
  const routesOf = (routing: Routing, wish: Wish | null = null): Routes => {
    const accepts = (place: RoutePlace) => wish?.accepts(place) ?? true;
    const inOrder = (
      model: CatalogModel,
      operation: CatalogOperation,
      region: RegionName,
      conversation: Conversation | undefined,
    ): Candidate[] => {
      const mapped = routing.find(operation, region) ?? [];
      if (!wish) return inTurn(mapped, drawOf(conversation));
      const placeOf = ({ provider }: Candidate) => ({ provider, model, operation, region });
      const wished = mapped.filter((one) => wish.accepts(placeOf(one)));
      return inTurn(wished, drawOf(conversation), (one) => wish.rankOf(placeOf(one)));
    };
    const own: Routes = {
      route(model, operation, region, conversation) {
        if (routing.find(operation, region) === null)
          return routing.unmapped === "refuse" || !accepts({ provider: sandbox, model, operation, region })
            ? []
            : [sandbox];
        const found = inOrder(model, operation, region, conversation);
        if (found.length === 1) return found.map(({ provider }) => provider);
        const runsTwice = textTypes.includes(operation.api_type);
        const open = found.filter(({ breakerName }) => isOpen(breakerName, region, runsTwice));
        const order = [...found.filter((one) => !open.includes(one)), ...open].map(
          ({ provider }) => provider,
        );
        return wish?.isFirstOnly ? order.slice(0, 1) : order;
      },
      favourite: (...asked) => inOrder(...asked)[0]?.provider,
      regions(_model, operation) {
        const mapped = routing.regions(operation);
        if (mapped !== null) return mapped;
        return routing.unmapped === "refuse" ? [] : null;
      },
      isRouteFree: (model, operation, region) =>
        own.route(model, operation, region).some((one) => breakerOf(one, region)?.isPassable === true),
      wishing: (wished) => routesOf(routing, wished),
      get unwished() {
        return wish ? routesOf(routing) : own;
      },
    };
    return own;
  };
  let routing = new Routing(emptyConfiguration, new Map());
  let routes = routesOf(routing);
  let names: string[] = [];

  return {
    use(configuration) {
      routing = new Routing(configuration, connections.use(configuration.connections));
      options.health.pauses.clear();
      for (const { provider, breakerName } of routing.all()) breakerNames.set(provider, breakerName);
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
    isRouteFree: (...asked) => routes.isRouteFree(...asked),
    wishing: (wish) => routes.wishing(wish),
    get unwished() {
      return routes;
    },
    recentTries: () => tries.now(),
    breaker: breakerOf,
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

function drawOf(conversation: Conversation | undefined): (candidate: Candidate) => number {
  return ({ target }) => (conversation && target !== null ? conversation.draw(target) : Math.random());
}
