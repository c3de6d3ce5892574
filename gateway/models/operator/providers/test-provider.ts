import type { Logger } from "pino";
import type { RegionName } from "#contract/catalog.ts";
import type { ProviderTest } from "#contract/operator/providers.ts";
import type { Context } from "#gateway/context.ts";
import type { Connection } from "#gateway/models/providers/configuration.ts";
import { protocolOf } from "#gateway/models/providers/protocols.ts";
import { askProvider, urlOf } from "./ask.ts";
import { findInUse } from "./find-in-use.ts";

type RegionTest = ProviderTest["regions"][number];

/**
 * Asks a provider in each of its regions something that costs nothing, never for a generation. Throws
 * `provider_not_found`; that it does not work is an answer.
 */
export async function testProvider(context: Context, idOrName: string): Promise<ProviderTest> {
  const { connection, problem } = await findInUse(context, idOrName);
  const keys = [...connection.keys].flatMap(([region, ofRegion]) =>
    ofRegion.map(({ name }) => ({ region, key: ofRegion.length > 1 ? name : null })),
  );
  const regions = await Promise.all(keys.map((one) => testKey(connection, one, context.log)));
  const failed = regions.find(({ ok }) => !ok);
  const [first] = regions;
  const message = problem ?? (failed ? named(failed, regions) : (first?.message ?? "It has no regions."));
  return {
    object: "provider_test",
    ok: problem === null && first !== undefined && !failed,
    latency_ms: Math.max(0, ...regions.map(({ latency_ms }) => latency_ms)),
    message,
    regions,
  };
}

async function testKey(
  connection: Connection,
  { region, key }: { region: RegionName; key: string | null },
  log: Logger,
): Promise<RegionTest> {
  const base = urlOf(connection, region);
  if (!base) return { region, key, ok: false, latency_ms: 0, message: "It has no address in this region." };
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
    last = { region, key, ok, latency_ms: latencyMs, message: ok ? success(body) : (trouble ?? "") };
    if (ok || status !== 404) break;
  }
  return last;
}

/** Of several regions or keys, which one it is. */
function named({ region, key, message }: RegionTest, all: readonly RegionTest[]): string {
  return all.length > 1 ? `${region}${key === null ? "" : `, key ${key}`}: ${message}` : message;
}
