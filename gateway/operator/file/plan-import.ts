import { isDeepStrictEqual } from "node:util";
import type { RegionName } from "#contract/catalog.ts";
import type { ProvidersFileImport, ProvidersFileImported } from "#contract/operator/file.ts";
import type { NewCredential, ProviderCreate } from "#contract/operator/providers.ts";
import type { RouteEntry } from "#contract/operator/routes.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import { ConfigError } from "#gateway/core/setting-reader.ts";
import { connectionsOf, providerProblems } from "#gateway/providers/file/check.ts";
import { type RoutableModel, refusedOf } from "#gateway/providers/file/expand-route.ts";
import { shapeOf } from "#gateway/providers/file/read.ts";
import type { FileCredential, ProviderEntry, ProvidersFile } from "#gateway/providers/file/schema.ts";
import { type NewConnection, planConnection } from "../providers/create.ts";
import { isKeyVariable, type KeyVariables } from "../providers/key-references.ts";
import { routeProblems } from "../routes/replace.ts";
import { routableModels } from "../routes/routable-models.ts";
import { entryOf } from "./export.ts";
import { type ModelsPlan, planModels } from "./models.ts";

type Keys = Record<string, string>;

/** What a providers file would add to the console, and what speaks against it. */
export interface ImportPlan
  extends Pick<ProvidersFileImported, "kept" | "missing_keys" | "problems" | "notes"> {
  /** The providers that are new, also those that lack a key. */
  fresh: string[];
  /** Of these, those that can be saved. */
  created: NewConnection[];
  models: ModelsPlan;
  routes: RouteEntry[];
  routesKept: number;
}

/** Providers whose names are known and routes that are there already stay as they are. Nothing is changed. */
export async function planImport(
  context: Context,
  { file: given, keys = {} }: ProvidersFileImport,
): Promise<ImportPlan> {
  const reading = context.configuration.current;
  const present = reading.configuration.connections.filter(({ isGone }) => !isGone);
  const file = readable(given);
  if (typeof file === "string")
    return {
      fresh: [],
      created: [],
      kept: [],
      models: { fresh: [], kept: [], problems: [], notes: [] },
      routes: [],
      routesKept: 0,
      missing_keys: [],
      problems: [file],
      notes: [],
    };
  const known = new Set(present.map(({ name }) => name.toLowerCase()));
  const names = Object.keys(file.providers);
  const kept = names.filter((name) => known.has(name.toLowerCase()));
  const fresh = withProviders(
    file,
    names.filter((name) => !kept.includes(name)),
  );

  const environment = { ...keyVariablesOf(context.config), ...keys };
  const found = providerProblems(fresh, { environment });
  const models = await planModels(context.database.queries, file.models ?? {});
  const plan: ImportPlan = {
    fresh: Object.keys(fresh.providers),
    created: [],
    kept,
    models,
    routes: file.routes.filter(
      (entry) => !reading.routes.some(({ row }) => isDeepStrictEqual(row.entry, entry)),
    ),
    routesKept: 0,
    missing_keys: found.flatMap(({ variable }) => variable ?? []),
    problems: [
      ...found.filter(({ variable }) => !variable).map(({ place, problem }) => `${place} ${problem}`),
      ...models.problems,
    ],
    notes: [...notesOn(context, file, kept), ...models.notes],
  };
  plan.routesKept = file.routes.length - plan.routes.length;
  const broken = new Set(found.map(({ place }) => place.split(".")[1]));
  for (const name of plan.fresh)
    if (!broken.has(name)) await planProvider(context, fresh, { name, keys }, plan);
  const connections = [...present, ...connectionsOf(fresh, environment)];
  const offered = [...routableModels(reading), ...offeredIn(file, models)];
  for (const entry of plan.routes) {
    const found = routeProblems(entry, connections, offered);
    const refused = refusedOf(found);
    for (const { at, problem } of refused ? [refused] : found) {
      const said = `routes[${file.routes.indexOf(entry)}]${at} ${problem}`;
      if (refused) plan.problems.push(said);
      else plan.notes.push(`${said}. That part of the route serves nothing.`);
    }
  }
  return plan;
}

/** The own models that there will be, also those with a problem: that is said once. */
function offeredIn({ models = {} }: ProvidersFile, { kept }: ModelsPlan): RoutableModel[] {
  return Object.entries(models).flatMap(([id, { entry }]) =>
    entry && !kept.includes(id)
      ? [{ id, available_regions: entry.regions, operations: entry.operations }]
      : [],
  );
}

/** What an imported file may read: a key in any other variable is asked for like one that is missing. */
function keyVariablesOf(config: KeyVariables): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => isKeyVariable(config, name)));
}

/** The file, or what is wrong with its shape. */
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
  context: Context,
  file: ProvidersFile,
  { name, keys }: { name: string; keys: Keys },
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

function providerOf(file: ProvidersFile, name: string, keys: Keys): ProviderCreate {
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

function notesOn(context: Context, file: ProvidersFile, kept: readonly string[]): string[] {
  const { connections, file: ofFile } = context.configuration.current;
  const different = kept.filter((name) => {
    const own = connections.find(
      ({ row }) => row.goneAt === null && row.name.toLowerCase() === name.toLowerCase(),
    );
    const now = ofFile?.content.providers[name] ?? (own && entryOf(own.row, []));
    return !isDeepStrictEqual(withoutKeys(now), withoutKeys(file.providers[name]));
  });
  return [
    ...different.map((name) => `${name} is different in the file. It stays as it is here.`),
    ...(file.unmapped ? ['"unmapped" is left out: only the PROVIDERS_FILE of the gateway can set it.'] : []),
  ];
}

/** What of a provider can be compared: its regions, not where their keys are. */
function withoutKeys(entry: ProviderEntry | undefined): object | undefined {
  return entry && { ...entry, credentials: Object.keys(entry.credentials).sort() };
}
