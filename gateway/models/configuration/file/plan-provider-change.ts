import { isDeepStrictEqual } from "node:util";
import type { RegionName } from "#contract/catalog.ts";
import type { FileChange, ProvidersFileImported } from "#contract/operator/file.ts";
import type { NewCredential, NewKey, ProviderUpdate } from "#contract/operator/providers.ts";
import type { ModelsContext } from "#gateway/models/context.ts";
import { credentialProblem } from "#gateway/models/providers/file/check.ts";
import {
  type FileCredential,
  fileKeysOf,
  type ProviderEntry,
} from "#gateway/models/providers/file/schema.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { StoredKey } from "#gateway/platform/database/tables/configuration.ts";
import { originOf, planUpdate } from "../providers/connect.ts";
import { type ConnectionRow, hasSecret, keyOwner, keySealer, keysOf } from "../providers/read-connections.ts";
import { differences, merged } from "./plan-routes.ts";

type Variables = ProvidersFileImported["missing_keys"];
type FieldChange = FileChange["fields"][number];

/** Keys by the name of their variable. */
export interface FileKeys {
  /** Keys sent with the import; stored encrypted. */
  given: Record<string, string>;
  /** The gateway's own variables that a file may use. */
  environment: Record<string, string | undefined>;
}

/** The changes that a file makes to an existing provider. */
export interface ProviderChange {
  /** Null if the provider already matches the file. */
  input: ProviderUpdate | null;
  /** The row after the change. */
  next: ConnectionRow;
  fields: FieldChange[];
  problems: string[];
  notes: string[];
  missing: Variables;
  /** Variables that are not set, for keys that are stored in this installation and stay. */
  stored: Variables;
}

/**
 * Plans the changes that make a provider match the file. Fields that the file does not name stay; losing a
 * key is a problem.
 */
export async function planProviderChange(
  context: ModelsContext,
  row: ConnectionRow,
  entry: ProviderEntry,
  keys: FileKeys,
): Promise<ProviderChange> {
  const { protocol, base_url, base_urls = {}, credentials, preset, allow_private, ...named } = entry;
  const at = `providers.${row.name}`;
  const plan: ProviderChange = {
    input: null,
    next: row,
    fields: [],
    problems: [],
    notes: [],
    missing: [],
    stored: [],
  };
  if (protocol !== row.protocol)
    plan.problems.push(
      `${at}.protocol is ${protocol} in the file and ${row.protocol} here. Connect it under another name.`,
    );
  if (preset !== undefined && preset !== row.preset)
    plan.notes.push(
      `${row.name} keeps its preset ${row.preset ?? "none"}, because a preset records where a provider came from.`,
    );
  const next = {
    ...row,
    baseUrl: base_url ?? row.baseUrl,
    baseUrls: merged(row.baseUrls, base_urls as ConnectionRow["baseUrls"]),
    allowPrivate: allow_private ?? row.allowPrivate,
    settings: merged(row.settings, named as ConnectionRow["settings"]),
  };
  const facts = ({ baseUrl, baseUrls, allowPrivate, settings }: ConnectionRow) => ({
    base_url: baseUrl,
    base_urls: baseUrls,
    allow_private: allowPrivate,
    ...settings,
  });
  plan.fields = differences(facts(row), facts(next));
  const update: ProviderUpdate = {
    ...(next.baseUrl !== row.baseUrl && { base_url: next.baseUrl }),
    ...(!isDeepStrictEqual(next.baseUrls, row.baseUrls) && { base_urls: next.baseUrls }),
    ...(next.allowPrivate !== row.allowPrivate && { allow_private: next.allowPrivate }),
    ...(!isDeepStrictEqual(next.settings, row.settings) && { settings: next.settings }),
  };
  const changed: [string, NewCredential][] = [];
  for (const [region, credential] of Object.entries(credentials)) {
    const found = credentialChange(context, plan, {
      row,
      region: region as RegionName,
      credential: credential ?? {},
      moves: originOf(row, region as RegionName) !== originOf(next, region as RegionName),
      keys,
    });
    if (found) changed.push([region, found]);
  }
  if (changed.length > 0) update.credentials = Object.fromEntries(changed);
  if (Object.keys(update).length === 0 || plan.problems.length + plan.missing.length > 0) return plan;
  plan.input = update;
  try {
    plan.next = await planUpdate(context, row, update);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    plan.problems.push(`${at}: ${error.message}`);
  }
  return plan;
}

interface Region {
  row: ConnectionRow;
  region: RegionName;
  credential: FileCredential;
  /** The provider moves to another server, so each key must be sent again. */
  moves: boolean;
  keys: FileKeys;
}

/** The keys of a region in the form of a provider update; null if they do not change. */
function credentialChange(
  { config }: ModelsContext,
  plan: ProviderChange,
  { row, region, credential, moves, keys }: Region,
): NewCredential | null {
  const at = `credentials.${region}`;
  const refuse = (problem: string) => plan.problems.push(`providers.${row.name}.${at} ${problem}`);
  const wrong = credentialProblem(credential);
  if (wrong) {
    refuse(`${wrong}.`);
    return null;
  }
  const stored = row.credentials[region];
  const here = stored ? keysOf(stored) : [];
  const wanted = fileKeysOf(credential);
  for (const { name } of here.filter(hasSecret))
    if (!wanted.some((key) => key.name === name && key.env !== undefined))
      refuse(
        `leaves out the key ${name}, which is stored here and would be lost. Add the key with its variable.`,
      );

  const isOfKey = (key: StoredKey | undefined, given: string) =>
    key?.sealed !== undefined && opened(config, row.id, region, key) === given.trim();
  let changes = stored === undefined;
  const result = wanted.map(({ env, name, ...rules }): NewKey => {
    const known = here.find((key) => key.name === name);
    const { name: _, sealed: __, hint: ___, ref, ...former } = known ?? { name };
    const after = merged<object>(former, rules);
    plan.fields.push(...named(`${at}.${name}`, differences(former, after)));
    changes ||= !isDeepStrictEqual(former, after);
    const same = { name, ...after };
    if (env === undefined) return same;
    const secret = secretOf(env, keys);
    if (secret === null) {
      const variable = { name: env, provider: row.name, region };
      if (ref !== `env:${env}`) plan[known && hasSecret(known) ? "stored" : "missing"].push(variable);
      return same;
    }
    const stays = "key" in secret ? isOfKey(known, secret.key) : ref === secret.ref;
    if (!stays)
      plan.fields.push({
        name: `${at}.${name}`,
        from: ref ?? (known?.sealed ? "the stored key" : null),
        to: "ref" in secret ? secret.ref : `the key in ${env}`,
      });
    changes ||= !stays || moves;
    return stays && !moves ? same : { ...same, ...secret };
  });
  if (stored === undefined) plan.fields.push({ name: at, from: null, to: "added" });
  if (!changes) return null;
  if (credential.keys) return { keys: result };
  const [{ key, ref } = {}] = result;
  return key !== undefined ? { key } : ref !== undefined ? { ref } : {};
}

/**
 * The key if it came with the import, otherwise a reference to the gateway's own variable, if that is set.
 */
function secretOf(env: string, { given, environment }: FileKeys): { key: string } | { ref: string } | null {
  const key = given[env];
  if (key !== undefined) return { key };
  return environment[env]?.trim() ? { ref: `env:${env}` } : null;
}

function opened(config: ModelsContext["config"], id: string, region: RegionName, { sealed }: StoredKey) {
  try {
    return sealed && keySealer(config).open(sealed, keyOwner(id, region));
  } catch {
    return undefined;
  }
}

function named(at: string, fields: FieldChange[]): FieldChange[] {
  return fields.map((field) => ({ ...field, name: `${at}.${field.name}` }));
}
