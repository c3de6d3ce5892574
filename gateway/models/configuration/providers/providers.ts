import type { Logger } from "pino";
import type { Static } from "typebox";
import { byName } from "#contract/by-name.ts";
import type { RegionName } from "#contract/catalog.ts";
import {
  type LocalServer,
  operatorProviderRoutes,
  type ProviderPreset,
  type ProviderTest,
  type UpstreamModel,
  type UpstreamModelList,
  type UpstreamModelQuery,
} from "#contract/operator/providers.ts";
import type { Sentence } from "#contract/sentences.ts";
import type { ModelsContext } from "#gateway/models/context.ts";
import { unfinishedMessage } from "#gateway/models/providers/chat-answers.ts";
import { type Connection, onlyKey } from "#gateway/models/providers/configuration.ts";
import { recordOf, recordsOf } from "#gateway/models/providers/http/read-body.ts";
import { modelsIn } from "#gateway/models/providers/protocol.ts";
import { protocolOf, protocols } from "#gateway/models/providers/protocols.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { setBounded } from "#gateway/platform/core/remembered.ts";
import { englishOf, sentence } from "#gateway/platform/core/sentences.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { upstreamHealth } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { askProvider, urlOf } from "./ask.ts";
import { createProvider, deleteProvider, updateProvider } from "./connect.ts";
import { getProvider, listProviders, providerNotFound } from "./view.ts";

/** The upstreams that operators connect. */
export function installOperatorProviders(app: App, context: ModelsContext): void {
  serve(app, context, operatorProviderRoutes, {
    "GET /operator/providers": () => listProviders(context),
    "POST /operator/providers": (request) => createProvider(context, request.caller, request.body),
    "GET /operator/providers/{id}": (request) => getProvider(context, request.params.id),
    "PATCH /operator/providers/{id}": (request) =>
      updateProvider(context, request.caller, request.params.id, request.body),
    "POST /operator/providers/{id}/test": (request) => testProvider(context, request.params.id),
    "GET /operator/providers/{id}/models": (request) =>
      listUpstreamModels(context, request.params.id, request.query),
    "GET /operator/provider_presets": async () => ({ object: "list" as const, data: [...providerPresets] }),
    "GET /operator/local_servers": async () => ({
      object: "list" as const,
      data: await findLocalServers(context),
    }),
    "DELETE /operator/providers/{id}": async (request, reply) => {
      const result = await deleteProvider(context, request.caller, request.params.id);
      return reply.code(result.deleted ? 200 : 202).send(result);
    },
  });
}

type RegionTest = ProviderTest["regions"][number];

/**
 * Sends a free request to a provider in each of its regions, never a generation. Throws `provider_not_found`;
 * a failed test is a result.
 */
async function testProvider(context: ModelsContext, idOrName: string): Promise<ProviderTest> {
  const { connection, problem } = await findInUse(context, idOrName);
  const keys = [...connection.keys].flatMap(([region, ofRegion]) =>
    ofRegion.map(({ name }) => ({ region, key: ofRegion.length > 1 ? name : null })),
  );
  const regions = await Promise.all(keys.map((one) => testKey(connection, one, context.log)));
  const failed = regions.find(({ ok }) => !ok);
  const [first] = regions;
  const message =
    problem ?? (failed ? named(failed, regions) : (first?.message ?? "The provider has no regions."));
  return {
    object: "provider_test",
    ok: problem === null && first !== undefined && !failed,
    latency_ms: Math.max(0, ...regions.map(({ latency_ms }) => latency_ms)),
    message: message + (await unfinishedNote(context, connection.name)),
    regions,
  };
}

/**
 * Names the models whose last chat failed because it had no finish reason. Only chats show whether an upstream
 * sends one, and a test runs none.
 */
async function unfinishedNote({ health, database }: ModelsContext, provider: string): Promise<string> {
  await health.flush();
  const { lastFailureAt, lastSuccessAt } = upstreamHealth;
  const rows = await database.queries
    .selectDistinct({ model: upstreamHealth.model })
    .from(upstreamHealth)
    .where(
      sql`${upstreamHealth.provider} = ${provider} and ${upstreamHealth.failureMessage} = ${unfinishedMessage}
        and ${lastFailureAt} > coalesce(${lastSuccessAt}, '-infinity')`,
    );
  if (rows.length === 0) return "";
  const models = rows.map(({ model }) => model).join(", ");
  return ` Its last chat with ${models} had no finish reason. If it never sends one, set unfinished_answers of the route to accept.`;
}

export async function testKey(
  connection: Connection,
  { region, key }: { region: RegionName; key: string | null },
  log: Logger,
): Promise<RegionTest> {
  const base = urlOf(connection, region);
  if (!base)
    return {
      region,
      key,
      ok: false,
      latency_ms: 0,
      ...said(sentence("no_address")),
    };
  let last: RegionTest = { region, key, ok: false, latency_ms: 0, message: "" };
  for (const { path, provenBy = [], success } of protocolOf(connection.entry.protocol).facts.checks(base)) {
    const url = urlOf(connection, region, path) ?? base;
    const { status, trouble, body, latencyMs } = await askProvider({
      connection,
      region,
      url,
      log,
      ...(key !== null && { keyName: key }),
    });
    const ok = trouble === null || (status !== null && body !== null && provenBy.includes(status));
    last = {
      ...{ region, key, ok, latency_ms: latencyMs },
      ...(ok ? { message: success(body) } : said(...(trouble ?? []))),
    };
    if (ok || status !== 404) break;
  }
  return last;
}

function said(...sentences: readonly Sentence[]): Pick<RegionTest, "message" | "message_codes"> {
  return { message: englishOf(...sentences), message_codes: [...sentences] };
}

/** With several regions or keys, the message names the region and key that it is about. */
function named({ region, key, message }: RegionTest, all: readonly RegionTest[]): string {
  return all.length > 1 ? `${region}${key === null ? "" : `, key ${key}`}: ${message}` : message;
}

const maxShown = 50;
/** How long a list is cached while an operator types. */
const keptMs = 30_000;
const maxKept = 50;

interface Kept {
  readAt: number;
  models: UpstreamModel[];
}

/** Cached lists of a connection, by URL. */
const lists = new WeakMap<Connection, Map<string, Kept>>();

/** The models that a provider lists, filtered by `q`. Throws `provider_not_found`, `provider_test_failed`. */
async function listUpstreamModels(
  context: ModelsContext,
  idOrName: string,
  { q = "", region: wanted }: Static<typeof UpstreamModelQuery>,
): Promise<UpstreamModelList> {
  const { connection, problem } = await findInUse(context, idOrName);
  return modelsListed(context, connection, { q, wanted, problem });
}

/** As `listUpstreamModels`, for a connection that need not be saved. */
export async function modelsListed(
  context: Pick<ModelsContext, "log">,
  connection: Connection,
  { q, wanted, problem }: { q: string; wanted?: RegionName | undefined; problem: string | null },
): Promise<UpstreamModelList> {
  const region = wanted ?? [...connection.keys.keys()][0];
  const base = region && connection.keys.has(region) ? urlOf(connection, region) : null;
  if (!region || !base)
    throw new ApiError(
      "provider_test_failed",
      problem ?? `${connection.name} has no key for ${wanted ?? "any region"}. Add one first.`,
    );
  const text = q.trim().toLowerCase();
  const { facts } = protocolOf(connection.entry.protocol);
  const models = await firstList(context, connection, region, facts.listPaths(base, text));
  const words = text.split(/\s+/).filter(Boolean);
  const matching = models.filter(({ id, description }) => {
    const all = `${id} ${description ?? ""}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  const found = matching.length > 0 || !facts.searches ? matching : models;
  return { object: "list", data: found.slice(0, maxShown), has_more: found.length > maxShown };
}

/** The list at the first of these URLs that exists. */
async function firstList(
  { log }: Pick<ModelsContext, "log">,
  connection: Connection,
  region: RegionName,
  paths: readonly string[],
): Promise<UpstreamModel[]> {
  let trouble = `${connection.name} has no list of models.`;
  for (const path of paths) {
    const url = urlOf(connection, region, path);
    if (!url) continue;
    const known = lists.get(connection)?.get(url.href);
    if (known && performance.now() - known.readAt < keptMs) return known.models;
    const asked = await askProvider({ connection, region, url, log });
    if (asked.trouble === null) return keep(connection, url.href, modelsIn(asked.body));
    trouble = englishOf(...asked.trouble);
    if (asked.status !== 404) break;
  }
  throw new ApiError("provider_test_failed", trouble);
}

function keep(connection: Connection, address: string, models: UpstreamModel[]): UpstreamModel[] {
  const kept = lists.get(connection) ?? new Map<string, Kept>();
  lists.set(connection, kept);
  setBounded(kept, address, { readAt: performance.now(), models }, maxKept);
  return models;
}

const places = ["cloud", "local", "other"];

/** Providers that can be connected quickly: addresses, where to get a key, and the kinds of models. */
const providerPresets: readonly ProviderPreset[] = protocols
  .flatMap(({ name, facts }) =>
    facts.presets.map((preset) => ({
      object: "provider_preset" as const,
      protocol: name,
      ...preset,
    })),
  )
  .sort((one, other) => places.indexOf(one.place) - places.indexOf(other.place));

const askMs = 1_000;
const modelsShown = 10;

/** The usual port of each model server, used if an answer does not identify its server. */
const usualPorts: readonly (readonly [port: number, preset: string])[] = [
  [11434, "ollama"],
  [1234, "lm-studio"],
  [8080, "llama-cpp"],
  [8000, "vllm"],
  [30000, "sglang"],
];
/** The values of `owned_by` that identify a server. */
const owners = byName<string>({
  library: "ollama",
  llamacpp: "llama-cpp",
  vllm: "vllm",
  sglang: "sglang",
  organization_owner: "lm-studio",
  localai: "localai",
});
const names = byName<string>({
  ollama: "Ollama",
  "lm-studio": "LM Studio",
  "llama-cpp": "llama.cpp server",
  vllm: "vLLM",
  sglang: "SGLang",
  localai: "LocalAI",
});

/** Model servers that answer on this machine. Only their model lists are requested; nothing is connected. */
export async function findLocalServers(
  context: Pick<ModelsContext, "config" | "configuration" | "log">,
  ports = usualPorts,
): Promise<LocalServer[]> {
  const { config, configuration } = context;
  const others = ports.filter(([port]) => port !== config.port);
  const found = await Promise.all(others.map(([port, preset]) => serverAt(context, port, preset)));
  const { connections } = configuration.current.configuration;
  return found
    .filter((server) => server !== null)
    .map((server) => {
      const port = URL.parse(server.base_url)?.port;
      const known = connections.find(({ entry, isLeaving }) => {
        const url = entry.base_url === undefined ? null : URL.parse(entry.base_url);
        return !isLeaving && url?.port === port && /^(localhost|127\.|\[::1\])/.test(url?.hostname ?? "");
      });
      return { ...server, connected_as: known?.name ?? null };
    });
}

async function serverAt(
  { config, log }: Pick<ModelsContext, "config" | "log">,
  port: number,
  usual: string,
): Promise<LocalServer | null> {
  const region = config.homeRegion;
  const base = `http://localhost:${port}/v1`;
  const connection: Connection = {
    name: "local",
    entry: { protocol: "openai", base_url: base },
    keys: new Map([[region, onlyKey(null)]]),
    allowPrivate: true,
    isLeaving: false,
  };
  const url = new URL(`${base}/models`);
  const { body, trouble } = await askProvider({ connection, region, url, log, waitMs: askMs });
  const list = recordOf(body);
  // Another Gatehouse lists its catalog in the same format.
  if (trouble !== null || !Array.isArray(list.data) || list.registry !== undefined) return null;
  const owner = String(recordsOf(list.data)[0]?.owned_by ?? "").toLowerCase();
  const preset = owners[owner] ?? usual;
  const models = modelsIn(list).map(({ id }) => id);
  return {
    object: "local_server",
    preset,
    name: names[preset] ?? preset,
    base_url: base,
    model_count: models.length,
    models: models.slice(0, modelsShown),
    connected_as: null,
  };
}

/** Finds a provider in this process's current configuration, by id or name. Throws `provider_not_found`. */
async function findInUse(
  { configuration }: Pick<ModelsContext, "configuration">,
  idOrName: string,
): Promise<{ connection: Connection; problem: string | null }> {
  await configuration.refresh();
  const { connections, file } = configuration.current;
  const inUse = connections.filter(({ row }) => row.goneAt === null);
  const own = inUse.find(({ row }) => row.id === idOrName) ?? inUse.find(({ row }) => row.name === idOrName);
  if (own) return own;
  const ofFile = file?.connections.find(({ name }) => name === idOrName);
  if (ofFile) return { connection: ofFile, problem: null };
  throw providerNotFound(idOrName);
}
