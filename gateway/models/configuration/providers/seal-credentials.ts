import type { RegionName } from "#contract/catalog.ts";
import type { NewCredential, NewKey, ProviderUpdate } from "#contract/operator/providers.ts";
import { invalidParameter } from "#gateway/platform/core/api-error.ts";
import type { MasterSecret } from "#gateway/platform/core/console-secret.ts";
import { englishOf } from "#gateway/platform/core/sentences.ts";
import type {
  StoredCredential,
  StoredCredentials,
  StoredKey,
  StoredSecret,
} from "#gateway/platform/database/tables/configuration.ts";
import {
  credentialOf,
  hasSecret,
  type KeyVariables,
  keyOwner,
  keySealer,
  keysOf,
  readReference,
  referenceProblem,
} from "./read-connections.ts";

const hintLength = 4;
/** Shorter keys get no hint: four characters would reveal too much. */
const hintedKeyLength = 16;
/** Characters allowed in an HTTP header. */
const headerText = /^[\x21-\x7e]+$/;

/** The credentials of a provider after a change. */
export interface SealedCredentials {
  credentials: StoredCredentials;
  /** The regions that keep their stored key. */
  kept: ReadonlySet<RegionName>;
}

/**
 * The stored credentials after a change: a region with null is removed, the others stay. Throws
 * `invalid_parameter` for a new reference without a key or to a variable that is not for keys; a reference
 * that is already stored may stay.
 */
export function sealCredentials(
  config: MasterSecret & KeyVariables,
  providerId: string,
  before: StoredCredentials,
  changes: NonNullable<ProviderUpdate["credentials"]>,
): SealedCredentials {
  const after: StoredCredentials = { ...before };
  const kept = new Set(regionsWithKeys(before));
  for (const [name, credential] of Object.entries(changes)) {
    const region = name as RegionName;
    if (credential === null || credential === undefined) delete after[region];
    else if (isKeptAsItIs(config, before[region], credential)) continue;
    else if ("keys" in credential) {
      const known = before[region] ? keysOf(before[region]) : [];
      const keys = sealKeys(config, { providerId, region, known }, credential.keys);
      after[region] = credentialOf(keys);
      if (keys.some((key, at) => isStored(credential.keys[at]) && hasSecret(key))) continue;
    } else after[region] = stored(config, providerId, region, credential);
    kept.delete(region);
  }
  if (Object.keys(after).length === 0)
    throw invalidParameter("credentials", "A provider needs at least one region.");
  return { credentials: after, kept };
}

function regionsWithKeys(credentials: StoredCredentials): RegionName[] {
  const entries = Object.entries(credentials) as [RegionName, StoredCredential][];
  return entries.filter(([, credential]) => keysOf(credential).some(hasSecret)).map(([region]) => region);
}

/**
 * Whether this is a reference from an earlier release that is no longer allowed. It may stay, but its key is
 * not sent to another server.
 */
function isKeptAsItIs(
  config: KeyVariables,
  kept: StoredCredential | undefined,
  credential: NewCredential,
): boolean {
  if (!("ref" in credential) || kept?.more || kept?.ref !== credential.ref) return false;
  return referenceProblem(config, credential.ref) !== null;
}

function isStored(key: NewKey | undefined): boolean {
  return key?.key === undefined && key?.ref === undefined;
}

interface Region {
  providerId: string;
  region: RegionName;
  known: readonly StoredKey[];
}

/** The keys of a region, in order. */
function sealKeys(
  config: MasterSecret & KeyVariables,
  { providerId, region, known }: Region,
  given: readonly NewKey[],
): StoredKey[] {
  const names = new Set<string>();
  return given.map(({ key, ref, ...rules }) => {
    const refuse = (problem: string) =>
      invalidParameter("credentials", `The key ${rules.name} of ${region} ${problem}.`);
    if (names.has(rules.name.toLowerCase()))
      throw refuse("has the same name as another key; choose another name");
    names.add(rules.name.toLowerCase());
    if (key !== undefined && ref !== undefined) throw refuse("has both key and ref; send one of them");
    if (key !== undefined) return { ...rules, ...stored(config, providerId, region, { key }) };
    if (ref !== undefined) return { ...rules, ...stored(config, providerId, region, { ref }) };
    const secret = known.find(({ name }) => name === rules.name);
    if (!secret) throw refuse("is not stored yet: send its key or ref");
    if (given.length > 1 && !hasSecret(secret))
      throw refuse("has neither key nor ref, unlike others in the list; send one of them");
    const { sealed, hint, ref: kept } = secret;
    return { ...rules, ...(sealed && { sealed }), ...(hint && { hint }), ...(kept && { ref: kept }) };
  });
}

function stored(
  config: MasterSecret & KeyVariables,
  providerId: string,
  region: RegionName,
  credential: { key: string } | { ref: string } | object,
): StoredSecret {
  const refuse = (problem: string) => invalidParameter("credentials", `The key of ${region}: ${problem}.`);
  if ("ref" in credential) {
    const problem = referenceProblem(config, credential.ref);
    if (problem) throw refuse(problem);
    const read = readReference(credential.ref);
    if ("problem" in read) throw refuse(englishOf(read.problem));
    return { ref: credential.ref };
  }
  if (!("key" in credential)) return {};
  const key = credential.key.trim();
  if (!headerText.test(key))
    throw refuse("it has spaces or characters that a key cannot have; copy it again");
  const sealed = keySealer(config).seal(key, keyOwner(providerId, region));
  return { sealed, ...(key.length >= hintedKeyLength && { hint: key.slice(-hintLength) }) };
}
