import { isDeepStrictEqual } from "node:util";
import { byName } from "#contract/by-name.ts";
import type { RegionName } from "#contract/catalog.ts";
import type { FileChange, ProvidersFileImport, ProvidersFileImported } from "#contract/operator/file.ts";
import type { NewCredential, ProviderCreate } from "#contract/operator/providers.ts";
import type { ModelsContext } from "#gateway/models/context.ts";
import type { Connection } from "#gateway/models/providers/configuration.ts";
import { connectionsOf, providerProblems, shapeOf } from "#gateway/models/providers/file/check.ts";
import { isSpecified, type RoutableModel, refusedOf } from "#gateway/models/providers/file/expand-route.ts";
import type { FileCredential, ProviderEntry, ProvidersFile } from "#gateway/models/providers/file/schema.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { ConfigError } from "#gateway/platform/core/setting-reader.ts";
import { type NewConnection, planConnection } from "../providers/connect.ts";
import { isKeyVariable, type KeyVariables } from "../providers/read-connections.ts";
import { routableModels, routeProblems, withoutModels } from "../routes/replace.ts";
import { type AliasesPlan, noAliases, planAliases } from "./aliases.ts";
import { entryOf } from "./export.ts";
import { type ModelsPlan, planModels } from "./models.ts";
import { type FileKeys, type ProviderChange, planProviderChange } from "./plan-provider-change.ts";
import { addedRoutes, type RoutesPlan, setRoutes } from "./plan-routes.ts";
import { noPrices, type PricesPlan, planPrices } from "./prices.ts";

/** The effect of importing a providers file, and the problems that prevent it. */
export interface ImportPlan
  extends Pick<
    ProvidersFileImported,
    "kept" | "missing_keys" | "stored_keys" | "problems" | "notes" | "changes" | "revision"
  > {
  /** Names of new providers, including those that lack a key. */
  fresh: string[];
  /** The new providers that can be saved. */
  created: NewConnection[];
  /** Existing providers that the file changes. */
  updated: ProviderChange[];
  models: ModelsPlan;
  routes: RoutesPlan;
  aliases: AliasesPlan;
  prices: PricesPlan;
}

/**
 * Plans an import: existing objects stay unchanged, or with `existing: "set"` are changed to match the file.
 * Writes nothing.
 */
export async function planImport(
  context: ModelsContext,
  { file: given, keys = {}, existing }: ProvidersFileImport,
): Promise<ImportPlan> {
  const reading = context.configuration.current;
  const sets = existing === "set";
  const table = reading.routes.map(({ row: { id, entry } }) => ({ id, entry }));
  const plan: ImportPlan = {
    fresh: [],
    created: [],
    updated: [],
    kept: [],
    models: { fresh: [], changed: [], kept: [], problems: [], notes: [] },
    routes: addedRoutes([], table),
    aliases: noAliases,
    prices: noPrices,
    missing_keys: [],
    stored_keys: [],
    problems: [],
    notes: [],
    changes: [],
    revision: reading.revision,
  };
  const file = readable(given);
  if (typeof file === "string") return { ...plan, problems: [file] };

  const present = reading.configuration.connections.filter(({ isGone }) => !isGone);
  const known = new Set(present.map(({ name }) => name.toLowerCase()));
  const names = Object.keys(file.providers);
  const here = names.filter((name) => known.has(name.toLowerCase()));
  const fresh = withProviders(
    file,
    names.filter((name) => !here.includes(name)),
  );
  plan.fresh = Object.keys(fresh.providers);
  const fileKeys = { given: byName(keys), environment: keyVariablesOf(context.config) };
  const environment = byName({ ...fileKeys.environment, ...keys });

  const found = providerProblems(fresh, { environment });
  plan.missing_keys = found.flatMap(({ variable }) => variable ?? []);
  plan.problems = found
    .filter(({ variable }) => !variable)
    .map(({ place, problem }) => `${place} ${problem}`);
  const broken = new Set(found.map(({ place }) => place.split(".")[1]));
  for (const name of plan.fresh)
    if (!broken.has(name)) await planProvider(context, fresh, { name, keys: fileKeys.given }, plan);
  if (sets) for (const name of here) await planSetting(context, file, { name, keys: fileKeys }, plan);
  else plan.kept = here;
  plan.notes.push(...notesOn(context, file, sets ? [] : here));

  plan.models = await planModels(context.database.queries, file.models ?? {}, sets);
  plan.problems.push(...plan.models.problems);
  plan.notes.push(...plan.models.notes);

  // Routes left by a former model of the same id may not fit the fields of the new model.
  const own = plan.models.fresh.map(({ id }) => id).filter((id) => !isSpecified(id));
  const former = withoutModels(table, new Set(own));
  plan.routes = sets ? setRoutes(file.routes, former) : addedRoutes(file.routes, former);
  plan.notes.push(...plan.routes.notes);
  const connections = [...present.map(asPlanned(plan)), ...connectionsOf(fresh, environment)];
  const offered = [...offeredIn(file, plan.models), ...routableModels(reading)];
  for (const entry of plan.routes.written) {
    const wrong = routeProblems(entry, connections, offered);
    const refused = refusedOf(wrong);
    for (const { at, problem } of refused ? [refused] : wrong) {
      const said = `routes[${file.routes.indexOf(entry)}]${at} ${problem}`;
      if (refused) plan.problems.push(said);
      else plan.notes.push(`${said}. That part of the route serves nothing.`);
    }
  }
  plan.aliases = await planAliases(context, file.aliases ?? {}, plan.models, sets);
  plan.prices = await planPrices(context, file, plan.models, sets);
  for (const { problems, notes } of [plan.aliases, plan.prices]) {
    plan.problems.push(...problems);
    plan.notes.push(...notes);
  }
  if (sets) plan.changes = changesOf(plan);
  return plan;
}

/**
 * The changes that make an existing provider match the file. A provider of the gateway's own file can only be
 * changed there.
 */
async function planSetting(
  context: ModelsContext,
  file: ProvidersFile,
  { name, keys }: { name: string; keys: FileKeys },
  plan: ImportPlan,
): Promise<void> {
  const { connections, file: ofFile } = context.configuration.current;
  const entry = file.providers[name];
  if (!entry) throw new Error(`The file has no provider ${name}`);
  const own = ofFile?.content.providers ?? {};
  if (Object.hasOwn(own, name)) {
    if (isDeepStrictEqual(own[name], entry)) plan.kept.push(name);
    else
      plan.problems.push(
        `providers.${name} is different in the gateway's own PROVIDERS_FILE. Change it there; the gateway then reads the file again.`,
      );
    return;
  }
  const found = connections.find(
    ({ row }) => row.goneAt === null && row.name.toLowerCase() === name.toLowerCase(),
  );
  if (!found || found.row.leavingAt !== null || found.row.name !== name) {
    const why =
      found?.row.name === name ? "is being removed here" : `is called ${found?.row.name ?? "otherwise"} here`;
    return void plan.problems.push(`providers.${name} ${why}.`);
  }
  const change = await planProviderChange(context, found.row, entry, keys);
  plan.updated.push(change);
  plan.problems.push(...change.problems);
  plan.notes.push(...change.notes);
  plan.missing_keys.push(...change.missing);
  plan.stored_keys.push(...change.stored);
  if (change.input === null) plan.kept.push(name);
}

/** A connection with the regions that it will have after the import. */
function asPlanned({ updated }: ImportPlan): (connection: Connection) => Connection {
  return (connection) => {
    const change = updated.find(({ next }) => next.name === connection.name);
    if (!change?.input) return connection;
    const regions = Object.keys(change.next.credentials) as RegionName[];
    return { ...connection, keys: new Map(regions.map((region) => [region, []])) };
  };
}

function changesOf({ fresh, updated, kept, models, routes, aliases, prices }: ImportPlan): FileChange[] {
  const changed = new Map(updated.flatMap((one) => (one.input ? [[one.next.name, one.fields]] : [])));
  const plain = (kind: FileChange["kind"], change: FileChange["change"]) => (name: string) => ({
    kind,
    name,
    change,
    fields: [],
  });
  return [
    ...fresh.map(plain("provider", "added")),
    ...[...changed].map(([name, fields]) => ({ ...plain("provider", "changed")(name), fields })),
    ...kept.map(plain("provider", "unchanged")),
    ...models.fresh.map(({ id }) => plain("model", "added")(id)),
    ...models.changed.map(({ id, fields }) => ({ ...plain("model", "changed")(id), fields })),
    ...models.kept.map(plain("model", "unchanged")),
    ...routes.described,
    ...aliases.fresh.map(({ after }) => plain("alias", "added")(after.name)),
    ...aliases.changed.map(({ after, fields }) => ({ ...plain("alias", "changed")(after.name), fields })),
    ...aliases.kept.map(plain("alias", "unchanged")),
    ...prices.fresh.map(({ name }) => plain("price", "added")(name)),
    ...prices.changed.map(({ name, fields }) => ({ ...plain("price", "changed")(name), fields })),
    ...prices.kept.map(plain("price", "unchanged")),
  ];
}

/** The own models after the import, including those with a problem: the problem is reported only once. */
function offeredIn({ models = {} }: ProvidersFile, { kept }: ModelsPlan): RoutableModel[] {
  return Object.entries(models).flatMap(([id, { entry }]) =>
    entry && !kept.includes(id)
      ? [{ id, available_regions: entry.regions, operations: entry.operations }]
      : [],
  );
}

/** The variables that an imported file may read; a key in any other variable is reported as missing. */
function keyVariablesOf(config: KeyVariables): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => isKeyVariable(config, name)));
}

/** The parsed file, or a message about its wrong shape. */
function readable(given: Record<string, unknown>): ProvidersFile | string {
  try {
    return shapeOf(given, "The file");
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

function withProviders(file: ProvidersFile, names: readonly string[]): ProvidersFile {
  const chosen = Object.entries(file.providers).filter(([name]) => names.includes(name));
  return { ...file, providers: Object.fromEntries(chosen) };
}

async function planProvider(
  context: ModelsContext,
  file: ProvidersFile,
  { name, keys }: { name: string; keys: FileKeys["given"] },
  plan: ImportPlan,
): Promise<void> {
  const input = providerOf(file, name, keys);
  const refused = (error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    return error;
  };
  const first = await planConnection(context, input).catch(refused);
  const allowed = (verb: string) =>
    plan.notes.push(
      `${name} ${verb} a private or unencrypted address. The import allows it for this provider.`,
    );
  if (!(first instanceof ApiError)) {
    plan.created.push(first);
    if (first.allowPrivate) allowed("may have");
    return;
  }
  const isPrivate = first.code === "private_address_not_allowed" && input.allow_private === undefined;
  const second = isPrivate
    ? await planConnection(context, { ...input, allow_private: true }).catch(refused)
    : first;
  if (second instanceof ApiError) return void plan.problems.push(`providers.${name}: ${second.message}`);
  plan.created.push(second);
  allowed("has");
}

function providerOf(file: ProvidersFile, name: string, keys: FileKeys["given"]): ProviderCreate {
  const entry = file.providers[name];
  if (!entry) throw new Error(`The file has no provider ${name}`);
  const { protocol, base_url, base_urls, credentials, preset, allow_private, ...settings } = entry;
  const secretOf = (env: string) => {
    const key = keys[env];
    return key === undefined ? { ref: `env:${env}` } : { key };
  };
  const credentialOf = ({ env, keys: several }: FileCredential): NewCredential => {
    if (several) return { keys: several.map(({ env: name, ...rules }) => ({ ...rules, ...secretOf(name) })) };
    return env === undefined ? {} : secretOf(env);
  };
  return {
    name,
    protocol: protocol as ProviderCreate["protocol"],
    ...(base_url !== undefined && { base_url }),
    ...(base_urls && { base_urls }),
    credentials: Object.fromEntries(
      Object.entries(credentials).map(([region, credential]) => [
        region as RegionName,
        credentialOf(credential ?? {}),
      ]),
    ),
    ...(preset !== undefined && { preset }),
    ...(allow_private !== undefined && { allow_private }),
    settings,
  };
}

function notesOn(context: ModelsContext, file: ProvidersFile, kept: readonly string[]): string[] {
  const { connections, file: ofFile } = context.configuration.current;
  const different = kept.filter((name) => {
    const own = connections.find(
      ({ row }) => row.goneAt === null && row.name.toLowerCase() === name.toLowerCase(),
    );
    const now = ofFile?.content.providers[name] ?? (own && entryOf(own.row, []));
    return !isDeepStrictEqual(withoutKeys(now), withoutKeys(file.providers[name]));
  });
  return [
    ...different.map((name) => `${name} is different in the file. The import does not change it here.`),
    ...(file.unmapped ? ['"unmapped" is left out: only the PROVIDERS_FILE of the gateway can set it.'] : []),
  ];
}

/** The comparable part of a provider: its regions, without the places of their keys. */
function withoutKeys(entry: ProviderEntry | undefined): object | undefined {
  return entry && { ...entry, credentials: Object.keys(entry.credentials).sort() };
}
