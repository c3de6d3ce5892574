import type { RegionName } from "#contract/catalog.ts";
import type {
  KeyRules,
  OperatorProvider,
  OperatorProviderList,
  ProviderCredential,
  ProviderKey,
  ProviderProtocol,
} from "#contract/operator/providers.ts";
import type { ModelsContext } from "#gateway/models/context.ts";
import { fileKeysOf } from "#gateway/models/providers/file/schema.ts";
import { baseUrlOf, protocolOf } from "#gateway/models/providers/protocols.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { isNotNull, sql } from "#gateway/platform/database/drizzle.ts";
import { predictions } from "#gateway/platform/database/schema.ts";
import type { StoredKey, StoredSecret } from "#gateway/platform/database/tables/configuration.ts";
import type { FilePart } from "../providers-file.ts";
import {
  type ConnectionRow,
  type KeyVariables,
  keysOf,
  type ReadConnection,
  readConnections,
  referenceProblem,
} from "./read-connections.ts";

/** The number of running predictions at each provider. */
export async function runningByProvider(queries: Queries): Promise<ReadonlyMap<string, number>> {
  const name = sql<string>`${predictions.providerRef}->>'provider'`;
  const rows = await queries
    .select({ name, running: sql<number>`count(*)::int` })
    .from(predictions)
    .where(sql`${predictions.status} in ('starting', 'processing') and ${isNotNull(predictions.providerRef)}`)
    .groupBy(name);
  return new Map(rows.map(({ name, running }) => [name, running]));
}

/** The number of running predictions at this provider, under its current and former names. */
export function runningAt(
  { name, formerNames }: Pick<ConnectionRow, "name" | "formerNames">,
  running: ReadonlyMap<string, number>,
): number {
  return [name, ...formerNames].reduce((sum, known) => sum + (running.get(known) ?? 0), 0);
}

/** The capabilities that follow from a provider's protocol. */
function protocolView(
  protocol: ProviderProtocol,
): Pick<OperatorProvider, "protocol" | "imports" | "service_paths"> {
  const { describeModel, searches, servicePaths } = protocolOf(protocol).facts;
  const imports = !describeModel ? "none" : searches ? "named" : "listed";
  return { protocol, imports, service_paths: servicePaths };
}

/** Why and until when this process does not use a key; null if it uses the key. */
export type SetAside = (provider: string, region: RegionName, key: string) => ProviderKey["set_aside"];

function rulesOf({ name, share, per_minute, concurrency }: KeyRules): KeyRules {
  return {
    name,
    ...(share !== undefined && { share }),
    ...(per_minute !== undefined && { per_minute }),
    ...(concurrency !== undefined && { concurrency }),
  };
}

interface Surroundings {
  running: ReadonlyMap<string, number>;
  setAside: SetAside;
  file: FilePart | null;
  config: KeyVariables;
}

/** The addresses of a stored provider, as in a file's entry. */
export function addressesOf({
  protocol,
  baseUrl,
  baseUrls,
}: Pick<ConnectionRow, "protocol" | "baseUrl" | "baseUrls">) {
  return { protocol, ...(baseUrl !== null && { base_url: baseUrl }), base_urls: baseUrls };
}

/** A connected provider without its keys. */
export function providerView(
  { row, problem, problemCodes }: Pick<ReadConnection, "row" | "problem" | "problemCodes">,
  { running, setAside, file, config }: Surroundings,
): OperatorProvider {
  const entry = addressesOf(row);
  const ofFile = Object.keys(file?.content.providers ?? {});
  return {
    id: row.id,
    object: "provider",
    name: row.name,
    former_names: row.formerNames,
    ...protocolView(row.protocol),
    preset: row.preset,
    base_url: row.baseUrl,
    base_urls: row.baseUrls as Record<string, string>,
    credentials: Object.entries(row.credentials).map(([name, credential]): ProviderCredential => {
      const region = name as RegionName;
      const shown = ({ sealed, hint, ref }: StoredSecret) => ({
        has_key: sealed !== undefined || ref !== undefined,
        key_hint: hint ?? null,
        ref: ref ?? null,
        ref_permitted: ref === undefined ? null : referenceProblem(config, ref) === null,
      });
      return {
        region,
        ...shown(credential),
        keys: keysOf(credential).map((key) => ({
          ...rulesOf(key),
          ...shown(key),
          set_aside: setAside(row.name, region, key.name),
        })),
        base_url: baseUrlOf(entry, region),
      };
    }),
    allow_private: row.allowPrivate,
    settings: row.settings,
    managed_by: "console",
    overridden_by_file: ofFile.some((name) => name.toLowerCase() === row.name.toLowerCase()),
    status: row.leavingAt === null ? "active" : "leaving",
    running_predictions: runningAt(row, running),
    problem,
    ...(problem !== null && { problem_codes: problemCodes }),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** The file's providers; they can be changed only in the file. */
export function fileProviderViews(
  file: FilePart | null,
  running: ReadonlyMap<string, number>,
  setAside: SetAside,
): OperatorProvider[] {
  return Object.entries(file?.content.providers ?? {}).map(([name, entry]) => {
    const { protocol, base_url: baseUrl, base_urls: baseUrls = {}, credentials, ...settings } = entry;
    return {
      id: name,
      object: "provider",
      name,
      former_names: [],
      ...protocolView(protocol as ProviderProtocol),
      preset: null,
      base_url: baseUrl ?? null,
      base_urls: baseUrls as Record<string, string>,
      credentials: Object.entries(credentials).map(([key, credential]): ProviderCredential => {
        const region = key as RegionName;
        const shown = ({ env }: { env?: string | undefined }) => ({
          has_key: env !== undefined,
          key_hint: null,
          ref: env === undefined ? null : `env:${env}`,
          ref_permitted: env === undefined ? null : true,
        });
        const keys = fileKeysOf(credential ?? {});
        return {
          region,
          ...shown(keys[0] ?? {}),
          keys: keys.map((one) => ({
            ...rulesOf(one),
            ...shown(one),
            set_aside: setAside(name, region, one.name),
          })),
          base_url: baseUrlOf(entry, region),
        };
      }),
      allow_private: true,
      settings,
      managed_by: "file",
      overridden_by_file: false,
      status: "active",
      running_predictions: running.get(name) ?? 0,
      problem: null,
      created_at: null,
      updated_at: null,
    };
  });
}

/**
 * The audit log's view of a provider: everything except its keys. A new key is visible as a changed hint or
 * time.
 */
export function auditView(row: ConnectionRow, keysChangedAt?: Date): Record<string, unknown> {
  return {
    name: row.name,
    protocol: row.protocol,
    preset: row.preset,
    base_url: row.baseUrl,
    base_urls: row.baseUrls,
    credentials: Object.fromEntries(
      Object.entries(row.credentials).map(([region, credential]) => [
        region,
        credential.more ? { keys: keysOf(credential).map(keyView) } : secretView(credential),
      ]),
    ),
    allow_private: row.allowPrivate,
    settings: row.settings,
    ...(keysChangedAt && { keys_changed_at: keysChangedAt.toISOString() }),
  };
}

function keyView({ sealed, hint, ref, ...rules }: StoredKey): object {
  return { ...rules, ...secretView({ sealed, hint, ref }) };
}

function secretView({
  sealed,
  hint,
  ref,
}: { [Part in keyof StoredSecret]: StoredSecret[Part] | undefined }): object {
  return ref !== undefined ? { ref } : { has_key: sealed !== undefined, ...(hint && { key_hint: hint }) };
}

/** The file's providers first, then the operators' in the order of creation. */
export async function listProviders(context: ModelsContext): Promise<OperatorProviderList> {
  const { config, configuration, database } = context;
  await configuration.refresh();
  const { file, connections } = configuration.current;
  const running = await runningByProvider(database.queries);
  const setAside = setAsideIn(context);
  const own = connections
    .filter(({ row }) => row.goneAt === null)
    .map((read) => providerView(read, { running, setAside, file, config }));
  return {
    object: "list",
    data: [...fileProviderViews(file, running, setAside), ...own],
    file: file && { path: file.path, problem: file.problem },
    home_region: config.homeRegion,
  };
}

export function providerNotFound(idOrName: string): ApiError {
  return new ApiError(
    "provider_not_found",
    `There is no provider "${idOrName}". GET /v1/operator/providers lists them.`,
  );
}

/** By id or name. Throws `provider_not_found`. */
export async function getProvider(context: ModelsContext, idOrName: string): Promise<OperatorProvider> {
  const { data } = await listProviders(context);
  const found = data.find(({ id }) => id === idOrName) ?? data.find(({ name }) => name === idOrName);
  if (found) return found;
  throw providerNotFound(idOrName);
}

/**
 * A provider that was just saved, read in the same transaction. `keysChanged`: its keys are new and were not
 * used yet.
 */
export async function savedProvider(
  context: ModelsContext,
  queries: Queries,
  id: string,
  keysChanged: boolean,
): Promise<OperatorProvider> {
  const { config, configuration } = context;
  const saved = (await readConnections(queries, config)).find(({ row }) => row.id === id);
  if (!saved) throw new Error("The provider was not saved");
  const running = await runningByProvider(queries);
  const setAside = keysChanged ? () => null : setAsideIn(context);
  return providerView(saved, { running, setAside, file: configuration.current.file, config });
}

function setAsideIn({ providers }: ModelsContext): SetAside {
  return (provider, region, key) => {
    const aside = providers.keyRing(provider, region)?.asideOf(key);
    return aside
      ? { until: aside.until.toISOString(), reason: aside.failure.message, code: aside.failure.code }
      : null;
  };
}
