import { isDeepStrictEqual } from "node:util";
import type { Logger } from "pino";
import type { RegionName } from "#contract/catalog.ts";
import { thinksSilently } from "#contract/operator/constants.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import type { Database } from "#gateway/platform/database/database.ts";
import { type Connection, goOnWhenOf, type Mapping } from "../configuration.ts";
import type { RouteEntry } from "../file/schema.ts";
import type { UpstreamHealth } from "../health/upstream-health.ts";
import { protocolOf, settingsOf } from "../protocols.ts";
import type { Provider } from "../provider.ts";
import { Upstream } from "./upstream.ts";

/** Other compatible servers may refuse a field that they do not know. */
const openAiHost = "api.openai.com";

interface Options {
  config: Config;
  database: Database;
  log: Logger;
  health: UpstreamHealth;
}

/** A connection in use. Configuration changes that do not concern it leave it open. */
export interface OpenConnection {
  connection: Connection;
  upstream: Upstream;
  isLeaving: boolean;
  /** Increases with each change of its key, address or settings. */
  serial: number;
  /** The provider for one of the connection's routes. With null, for the jobs that already run there. */
  providerFor(route: RouteEntry | null, mappings: readonly Mapping[]): Provider;
}

/** Keeps the upstreams of unchanged connections, and lets those of changed ones finish their work. */
export class OpenConnections {
  private readonly options: Options;
  private readonly retired = new Set<Upstream>();
  private opened: ReadonlyMap<string, OpenConnection> = new Map();
  private made = 0;

  constructor(options: Options) {
    this.options = options;
  }

  use(connections: readonly Connection[]): ReadonlyMap<string, OpenConnection> {
    const before = this.opened;
    const now = new Map(
      connections.map((connection) => {
        const known = before.get(connection.name);
        const isSame = known && isDeepStrictEqual(partsOf(known.connection), partsOf(connection));
        const open = isSame ? { ...known, isLeaving: connection.isLeaving } : this.open(connection);
        return [connection.name, open] as const;
      }),
    );
    this.opened = now;
    for (const [name, { upstream }] of before)
      if (now.get(name)?.upstream !== upstream) this.retire(upstream);
    return now;
  }

  async close(): Promise<void> {
    const current = [...this.opened.values()].map(({ upstream }) => upstream);
    await Promise.all([...current, ...this.retired].map((upstream) => upstream.close()));
  }

  private open(connection: Connection): OpenConnection {
    const { config, database, log, health } = this.options;
    const { name, entry, isLeaving } = connection;
    const upstream = new Upstream({
      ...settingsOf(connection, log),
      whenLimited: ({ model, region }, limit) =>
        void (model && health.limited({ provider: name, model: model.id, region }, limit)),
    });
    warnOfPlainText(connection, log);
    const make = protocolOf(entry.protocol).open({
      entry,
      database,
      fetchOutput: (url, signal, limit) => upstream.openOutput(url, signal, limit),
    });
    /** Read once, because each chat asks. */
    const atOpenAi = new Map<RegionName, boolean>();
    const isAtOpenAi = (region: RegionName): boolean => {
      const known = atOpenAi.get(region);
      if (known !== undefined) return known;
      const isAt = URL.parse(upstream.settings.baseUrl(region))?.hostname === openAiHost;
      atOpenAi.set(region, isAt);
      return isAt;
    };
    this.made += 1;
    return {
      connection,
      upstream,
      isLeaving,
      serial: this.made,
      providerFor(route, mappings) {
        const own = mappings.filter(({ providerName }) => providerName === name);
        const whole = { untilMs: 0 };
        const answersWhole = () => clock.now() < whole.untilMs;
        const provider = make({
          upstream,
          model: route?.upstream_model ?? "",
          path: route?.path,
          skipsMalformed: route?.malformed_events === "skip",
          acceptsUnfinished: route?.unfinished_answers === "accept",
          sendsCacheKey: (region) => entry.send_cache_key ?? isAtOpenAi(region),
          marksBeginning: route?.cache_breakpoint,
          whole,
          fields: route?.fields,
          media: { ...upstream.settings, config },
          modelNameOf: (id, region) =>
            own.find((one) => one.modelId === id && one.region === region)?.entry.upstream_model ?? null,
          catalogIdOf: (model, region) =>
            own.find((one) => one.entry.upstream_model === model && one.region === region)?.modelId ?? null,
        });
        if (route === null) return provider;
        const { firstTokenMs, nextTokenMs } = upstream.settings.timeouts;
        const isSilent = route.thinks_silently ?? thinksSilently(route.upstream_model);
        const beginsNothing = route.go_on_when?.includes("failed") ?? route.next_after_500 ?? false;
        return {
          ...(beginsNothing ? withNextAfter500(provider) : provider),
          goOnWhen: (kind) => goOnWhenOf(route, [kind]),
          answersWhole,
          get patience() {
            return { firstTokenMs: isSilent || answersWhole() ? null : firstTokenMs, nextTokenMs };
          },
          continuesStreams: route.continue_streams ?? false,
          acceptsPrefill: route.accepts_prefill ?? false,
          ...(route.wait_for_retry_after_ms && { waitForRetryAfterMs: route.wait_for_retry_after_ms }),
          ...(entry.cut_streams && { cutStreams: entry.cut_streams }),
          keyRing: (region) => upstream.ringOf(region),
          drawsAnew: route.affinity === "off",
          ...(route.fields?.omit && { omits: route.fields.omit }),
        };
      },
    };
  }

  private retire(upstream: Upstream): void {
    this.retired.add(upstream);
    upstream.retire().then(
      () => this.retired.delete(upstream),
      (error: unknown) =>
        this.options.log.warn({ err: error, provider: upstream.name }, "a former connection did not close"),
    );
  }
}

/** The parts whose change requires a new connection; leaving and former names do not. */
function partsOf({ isLeaving: _, isGone: __, formerNames: ___, ...parts }: Connection): object {
  return parts;
}

/** Sending a key over plain HTTP is acceptable only on this machine. */
function warnOfPlainText({ name, entry, keys }: Connection, log: Logger): void {
  const keyed = [...keys.values()].flat().some(({ secret }) => secret !== null);
  for (const text of [entry.base_url, ...Object.values(entry.base_urls ?? {})]) {
    const url = text === undefined ? null : URL.parse(text);
    if (keyed && url?.protocol === "http:" && !/^(localhost|127\.|\[::1\])/.test(url.hostname))
      log.warn({ provider: name }, "the key of this provider is sent unencrypted: its base URL is http");
  }
}

/**
 * A provider whose operator declared that a 500 answer means that no work began ("failed" in a route's
 * `go_on_when`): the next provider is then tried. After an accepted job or a first chunk the work counts as
 * begun.
 */
function withNextAfter500(provider: Provider): Provider {
  return {
    ...provider,
    execute: (request) => provider.execute(request).catch(notBegun),
    start: (request) => provider.start(request).catch(notBegun),
    async *stream(request) {
      const chunks = provider.stream(request)[Symbol.asyncIterator]();
      try {
        let next = await chunks.next().catch(notBegun);
        for (; !next.done; next = await chunks.next()) yield next.value;
      } finally {
        await chunks.return?.();
      }
    },
  };
}

function notBegun(error: unknown): never {
  if (!(error instanceof ProviderError) || error.status !== 500 || error.started !== "unknown") throw error;
  throw new ProviderError("service_unavailable", "The provider is unavailable.", {
    started: "no",
    status: 500,
    cause: error.cause,
  });
}
