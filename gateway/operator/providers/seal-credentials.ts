import type { RegionName } from "#contract/catalog.ts";
import type { NewCredential, ProviderUpdate } from "#contract/operator/providers.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import type { MasterSecret } from "#gateway/core/master-secret.ts";
import type { StoredCredential, StoredCredentials } from "#gateway/database/tables/configuration.ts";
import { type KeyVariables, readReference, referenceProblem } from "./key-references.ts";
import { keyOwner, keySealer } from "./key-sealer.ts";

const hintLength = 4;
/** Shorter keys are not hinted at: four characters would be much of them. */
const hintedKeyLength = 16;
/** What an HTTP header takes. */
const headerText = /^[\x21-\x7e]+$/;

/**
 * The stored credentials after a change: a region with null is removed, the others stay. Throws `invalid_parameter` for a
 * new reference that leads to no key or to a variable that is not for keys; one that is stored already stays.
 */
export function sealCredentials(
  config: MasterSecret & KeyVariables,
  providerId: string,
  before: StoredCredentials,
  changes: NonNullable<ProviderUpdate["credentials"]>,
): StoredCredentials {
  const after: StoredCredentials = { ...before };
  for (const [name, credential] of Object.entries(changes)) {
    const region = name as RegionName;
    if (credential === null || credential === undefined) delete after[region];
    else if (isKeptAsItIs(config, before[region], credential)) continue;
    else after[region] = stored(config, providerId, region, credential);
  }
  if (Object.keys(after).length === 0)
    throw new ApiError("invalid_parameter", "A provider needs at least one region.", {
      param: "credentials",
    });
  return after;
}

/** A reference of an earlier release that could not be made now: it may stay, but lead to no other server. */
function isKeptAsItIs(
  config: KeyVariables,
  kept: StoredCredential | undefined,
  credential: NewCredential,
): boolean {
  if (!("ref" in credential) || kept?.ref !== credential.ref) return false;
  return referenceProblem(config, credential.ref) !== null;
}

function stored(
  config: MasterSecret & KeyVariables,
  providerId: string,
  region: RegionName,
  credential: NewCredential,
): StoredCredential {
  const refuse = (problem: string) =>
    new ApiError("invalid_parameter", `The key of ${region}: ${problem}.`, { param: "credentials" });
  if ("ref" in credential) {
    const problem = referenceProblem(config, credential.ref);
    if (problem) throw refuse(problem);
    const read = readReference(credential.ref);
    if ("problem" in read) throw refuse(read.problem);
    return { ref: credential.ref };
  }
  if (!("key" in credential)) return {};
  const key = credential.key.trim();
  if (!headerText.test(key))
    throw refuse("it has spaces or characters that a key cannot have; copy it again");
  const sealed = keySealer(config).seal(key, keyOwner(providerId, region));
  return { sealed, ...(key.length >= hintedKeyLength && { hint: key.slice(-hintLength) }) };
}
