import type { RegionName } from "#contract/catalog.ts";
import type { NewCredential, ProviderUpdate } from "#contract/operator-providers.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import type { MasterSecret } from "#gateway/core/master-secret.ts";
import type { StoredCredential, StoredCredentials } from "#gateway/database/tables/configuration.ts";
import { readReference } from "./key-references.ts";
import { keyOwner, keySealer } from "./key-sealer.ts";

const hintLength = 4;
/** Shorter keys are not hinted at: four characters would be much of them. */
const hintedKeyLength = 16;
/** What an HTTP header takes. */
const headerText = /^[\x21-\x7e]+$/;

/**
 * The stored credentials after a change: a region with null is removed, the others stay. Throws `invalid_parameter` for a
 * reference that leads to no key.
 */
export function sealCredentials(
  master: MasterSecret,
  providerId: string,
  before: StoredCredentials,
  changes: NonNullable<ProviderUpdate["credentials"]>,
): StoredCredentials {
  const after: StoredCredentials = { ...before };
  for (const [name, credential] of Object.entries(changes)) {
    const region = name as RegionName;
    if (credential === null || credential === undefined) delete after[region];
    else after[region] = stored(master, providerId, region, credential);
  }
  if (Object.keys(after).length === 0)
    throw new ApiError("invalid_parameter", "A provider needs at least one region.", {
      param: "credentials",
    });
  return after;
}

function stored(
  master: MasterSecret,
  providerId: string,
  region: RegionName,
  credential: NewCredential,
): StoredCredential {
  const refuse = (problem: string) =>
    new ApiError("invalid_parameter", `The key of ${region}: ${problem}.`, { param: "credentials" });
  if ("ref" in credential) {
    const read = readReference(credential.ref);
    if ("problem" in read) throw refuse(read.problem);
    return { ref: credential.ref };
  }
  if (!("key" in credential)) return {};
  const key = credential.key.trim();
  if (!headerText.test(key))
    throw refuse("it has spaces or characters that a key cannot have; copy it again");
  const sealed = keySealer(master).seal(key, keyOwner(providerId, region));
  return { sealed, ...(key.length >= hintedKeyLength && { hint: key.slice(-hintLength) }) };
}
