import type { Static } from "typebox";
import type { RegionName } from "#contract/catalog.ts";
import type { UpstreamModel, UpstreamModelList, UpstreamModelQuery } from "#contract/operator/providers.ts";
import type { Context } from "#gateway/context.ts";
import type { Connection } from "#gateway/models/providers/configuration.ts";
import { modelsIn } from "#gateway/models/providers/protocol-facts.ts";
import { protocolOf } from "#gateway/models/providers/protocols.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { setBounded } from "#gateway/platform/core/remembered.ts";
import { askProvider, urlOf } from "./ask.ts";
import { findInUse } from "./find-in-use.ts";

const mostShown = 50;
/** A list is kept so long, since somebody types. */
const keptMs = 30_000;
const mostKept = 50;

interface Kept {
  readAt: number;
  models: UpstreamModel[];
}

/** Of a connection, by address. */
const lists = new WeakMap<Connection, Map<string, Kept>>();

/** What a provider lists, as far as it matches `q`. Throws `provider_not_found`, `provider_test_failed`. */
export async function listUpstreamModels(
  context: Context,
  idOrName: string,
  { q = "", region: wanted }: Static<typeof UpstreamModelQuery>,
): Promise<UpstreamModelList> {
  const { connection, problem } = await findInUse(context, idOrName);
  const region = wanted ?? [...connection.keys.keys()][0];
  const base = region && connection.keys.has(region) ? urlOf(connection, region) : null;
  if (!region || !base)
    throw new ApiError("provider_test_failed", problem ?? `${connection.name} has no key for this region.`);
  const text = q.trim().toLowerCase();
  const { facts } = protocolOf(connection.entry.protocol);
  const models = await firstList(context, connection, region, facts.listPaths(base, text));
  const words = text.split(/\s+/).filter(Boolean);
  const matching = models.filter(({ id, description }) => {
    const all = `${id} ${description ?? ""}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  const found = matching.length > 0 || !facts.searches ? matching : models;
  return { object: "list", data: found.slice(0, mostShown), has_more: found.length > mostShown };
}

/** The list at the first of these addresses that exists. */
async function firstList(
  { log }: Context,
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
    trouble = asked.trouble;
    if (asked.status !== 404) break;
  }
  throw new ApiError("provider_test_failed", trouble);
}

function keep(connection: Connection, address: string, models: UpstreamModel[]): UpstreamModel[] {
  const kept = lists.get(connection) ?? new Map<string, Kept>();
  lists.set(connection, kept);
  setBounded(kept, address, { readAt: performance.now(), models }, mostKept);
  return models;
}
