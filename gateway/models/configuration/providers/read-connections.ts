import { readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import type { RegionName } from "#contract/catalog.ts";
import { onlyKeyName } from "#contract/operator/constants.ts";
import type { Sentence } from "#contract/sentences.ts";
import type { Connection, RegionKey } from "#gateway/models/providers/configuration.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import { createSealer, type MasterSecret, type Sealer } from "#gateway/platform/core/console-secret.ts";
import { englishOf, sentence } from "#gateway/platform/core/sentences.ts";
import { ConfigError } from "#gateway/platform/core/setting-reader.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { asc } from "#gateway/platform/database/drizzle.ts";
import { providerConnections } from "#gateway/platform/database/schema.ts";
import type {
  StoredCredential,
  StoredKey,
  StoredSecret,
} from "#gateway/platform/database/tables/configuration.ts";

export type KeyVariables = Pick<Config, "providerKeyVariables">;

const keyPrefix = "GATEHOUSE_KEY_";

export type ConnectionRow = typeof providerConnections.$inferSelect;

/** A connected provider read from its row, ready to use. */
export interface ReadConnection {
  row: ConnectionRow;
  connection: Connection;
  /** Why some of its regions cannot be used now, and the same as codes. */
  problem: string | null;
  problemCodes: Sentence[];
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

/** Seals provider keys; each is bound to its provider and region. */
export function keySealer(master: MasterSecret): Sealer {
  return createSealer(master, "gatehouse provider keys");
}

function readConnection(row: ConnectionRow, sealer: Sealer): ReadConnection & { isSealed: boolean } {
  const keys = new Map<RegionName, RegionKey[]>();
  const problems: Sentence[] = [];
  let isSealed = false;
  for (const [name, stored] of Object.entries(row.credentials)) {
    const region = name as RegionName;
    const opened: RegionKey[] = [];
    for (const key of keysOf(stored)) {
      const found = secretOf(row, region, key, sealer);
      const { name: keyName, share = 1, per_minute: perMinute = null, concurrency = null } = key;
      if ("problem" in found)
        problems.push({ ...found.problem, at: stored.more ? `${region}, ${keyName}` : region });
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
    problem: problems.map((one) => `${one.at}: ${englishOf(one)}`).join("; ") || null,
    problemCodes: problems,
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

/** The keys of a region, at least one. */
export function keysOf({ more = [], ...first }: StoredCredential): StoredKey[] {
  return [{ name: onlyKeyName, ...first }, ...more];
}

/**
 * The folder where containers and systemd put secrets. A reference to any other file could read every secret
 * of the machine.
 */
const secretsFolder = "/run/secrets";

const maxBytes = 8_192;

/** Settings of Gatehouse and its machine that are never a provider's key. */
const ownVariables =
  /^(AUTH_SECRET|CONSOLE_SECRET|OIDC_|OWNER_|METRICS_TOKEN|DATABASE_URL|PG|AWS_|S3_|NODE_|PATH$|HOME$)/;

interface ReferencePlaces {
  environment: Record<string, string | undefined>;
  folder: string;
}

const here: ReferencePlaces = { environment: process.env, folder: secretsFolder };

function secretOf(
  { id }: ConnectionRow,
  region: RegionName,
  { sealed, ref }: StoredSecret,
  sealer: Sealer,
): { secret: string | null } | { problem: Sentence; isSealed?: true } {
  if (ref !== undefined) {
    const read = readReference(ref);
    return "problem" in read ? read : { secret: read.key };
  }
  if (!sealed) return { secret: null };
  try {
    return { secret: sealer.open(sealed, keyOwner(id, region)) };
  } catch {
    return { problem: sentence("key_of_other_secret"), isSealed: true };
  }
}

/** The provider and region that a sealed key is bound to. */
export function keyOwner(providerId: string, region: string): string {
  return `${providerId} ${region}`;
}

/** The key behind `env:NAME` or `file:/run/secrets/name`, or the reason why there is none. */
export function readReference(
  reference: string,
  { environment, folder }: ReferencePlaces = here,
): { key: string } | { problem: Sentence } {
  if (reference.startsWith("env:")) {
    const name = reference.slice("env:".length);
    if (ownVariables.test(name)) return { problem: sentence("key_variable_is_setting", { name }) };
    const key = environment[name]?.trim();
    return key ? { key } : { problem: sentence("key_variable_not_set", { name }) };
  }
  const file = reference.slice("file:".length);
  if (!isInside(folder, path.resolve(file)))
    return { problem: sentence("key_file_outside", { file, folder }) };
  try {
    const real = realpathSync(file);
    if (!isInside(realpathSync(folder), real))
      return { problem: sentence("key_file_leads_outside", { file, folder }) };
    const key = readFileSync(real, "utf8").slice(0, maxBytes).trim();
    return key ? { key } : { problem: sentence("key_file_empty", { file }) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { problem: sentence("key_file_unreadable", { file, error: code ?? "" }) };
  }
}

/** Kubernetes puts service account tokens into subfolders of the same folder; they are not provider keys. */
function isInside(folder: string, file: string): boolean {
  const inside = path.relative(folder, file);
  return (
    inside !== "" &&
    !inside.startsWith("..") &&
    !path.isAbsolute(inside) &&
    !inside.startsWith("kubernetes.io")
  );
}

/**
 * Whether operators may use this variable. The process can have other variables with secrets that operators
 * must not read.
 */
export function isKeyVariable({ providerKeyVariables }: KeyVariables, name: string): boolean {
  return name.startsWith(keyPrefix) || providerKeyVariables.includes(name);
}

/** Why operators may not use this reference; null if they may. */
export function referenceProblem(config: KeyVariables, reference: string): string | null {
  if (!reference.startsWith("env:")) return null;
  const name = reference.slice("env:".length);
  if (isKeyVariable(config, name)) return null;
  return `${name} may not be named here: use a variable whose name begins with ${keyPrefix}, or list this one in PROVIDER_KEY_VARIABLES`;
}

/** The first key is stored where the previous release reads its only one. */
export function credentialOf([first, ...more]: readonly StoredKey[]): StoredCredential {
  return { ...first, ...(more.length > 0 && { more }) };
}

export function hasSecret({ sealed, ref }: StoredCredential): boolean {
  return sealed !== undefined || ref !== undefined;
}
