import { attestationCodes } from "#contract/attestation-constants.ts";
import type { CatalogModel } from "#contract/catalog.ts";
import { type AttestationCode, gates } from "./gates.ts";

/** The models behind each gate, by error code. */
export function unlockedBy(
  models: readonly Pick<CatalogModel, "id" | "safety_requirements">[],
): Record<AttestationCode, string[]> {
  const guarded = (code: AttestationCode) =>
    models.filter((model) => model.safety_requirements[gates[code].flag] === true).map((model) => model.id);
  const [adult, portrait, person] = attestationCodes;
  return { [adult]: guarded(adult), [portrait]: guarded(portrait), [person]: guarded(person) };
}
