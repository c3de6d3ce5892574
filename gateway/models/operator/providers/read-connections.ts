import type { RegionName } from "#contract/catalog.ts";
import type { Connection, RegionKey } from "#gateway/models/providers/configuration.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import type { Sealer } from "#gateway/platform/core/console-secret.ts";
import { ConfigError } from "#gateway/platform/core/setting-reader.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { asc } from "#gateway/platform/database/drizzle.ts";
import { providerConnections } from "#gateway/platform/database/schema.ts";
import type { StoredSecret } from "#gateway/platform/database/tables/configuration.ts";
import { readReference } from "./key-references.ts";
import { keyOwner, keySealer } from "./key-sealer.ts";
import { keysOf } from "./stored-keys.ts";

export type ConnectionRow = typeof providerConnections.$inferSelect;

/** A connected provider read from its row, ready to use. */
export interface ReadConnection {
  row: ConnectionRow;
  connection: Connection;
  /** Why some of its regions cannot be used now. */
  problem: string | null;
}

/**
 * The providers that operators connected, with their keys opened. A region whose key cannot be read is left
 * out and reported in `problem`. With `mustOpenKeys`, used at the start, sealed keys that cannot be opened
 * throw ConfigError.
 */
export async function readConnections(
  queries: Queries,
  config: Config,
  mustOpenKeys = false,
): Promise<ReadConnection[]> {
  const rows = await queries.select().from(providerConnections).orderBy(asc(providerConnections.id));
  const sealer = keySealer(config);
  const read = rows.map((row) => readConnection(row, sealer));
  const unopened = read
    .filter(({ isSealed, row }) => isSealed && row.goneAt === null)
    .map(({ row }) => row.name);
  if (mustOpenKeys && unopened.length > 0)
    throw new ConfigError(
      `AUTH_SECRET does not open the keys of ${unopened.join(", ")}: they were encrypted with a former secret. Set AUTH_SECRET to the former secret, or set AUTH_SECRET_PREVIOUS to it to change to the new one`,
    );
  return read;
}

function readConnection(row: ConnectionRow, sealer: Sealer): ReadConnection & { isSealed: boolean } {
  const keys = new Map<RegionName, RegionKey[]>();
  const problems: string[] = [];
  let isSealed = false;
  for (const [name, stored] of Object.entries(row.credentials)) {
    const region = name as RegionName;
    const opened: RegionKey[] = [];
    for (const key of keysOf(stored)) {
      const found = secretOf(row, region, key, sealer);
      const { name: keyName, share = 1, per_minute: perMinute = null, concurrency = null } = key;
      if ("problem" in found)
        problems.push(`${stored.more ? `${region}, ${keyName}` : region}: ${found.problem}`);
      else opened.push({ name: keyName, secret: found.secret, share, perMinute, concurrency });
      isSealed ||= "isSealed" in found;
    }
    if (opened.length > 0) keys.set(region, opened);
  }
  const { settings, protocol } = row;
  const addresses = {
    ...(row.baseUrl !== null && { base_url: row.baseUrl }),
    ...(Object.keys(row.baseUrls).length > 0 && { base_urls: row.baseUrls }),
  };
  return {
    row,
    isSealed,
    problem: problems.length > 0 ? problems.join("; ") : null,
    connection: {
      name: row.name,
      formerNames: row.formerNames,
      entry: { protocol, ...addresses, ...settings },
      keys,
      allowPrivate: row.allowPrivate,
      isLeaving: row.leavingAt !== null,
      ...(row.goneAt !== null && { isLeaving: true, isGone: true }),
    },
  };
}

function secretOf(
  { id }: ConnectionRow,
  region: RegionName,
  { sealed, ref }: StoredSecret,
  sealer: Sealer,
): { secret: string | null } | { problem: string; isSealed?: true } {
  if (ref !== undefined) {
    const read = readReference(ref);
    return "problem" in read ? read : { secret: read.key };
  }
  if (!sealed) return { secret: null };
  try {
    return { secret: sealer.open(sealed, keyOwner(id, region)) };
  } catch {
    return {
      problem:
        "its key was encrypted with another AUTH_SECRET; set AUTH_SECRET_PREVIOUS to that secret, or enter the key again",
      isSealed: true,
    };
  }
}
