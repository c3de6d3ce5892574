import type { SafetyRequirements } from "#contract/catalog.ts";
import type { Attester } from "#gateway/accounts/attestations/active.ts";
import { everyone } from "#gateway/catalog/offered-entry.ts";
import { adultWithPersonRights } from "#gateway/catalog/pieces/safety.ts";
import type { Context } from "#gateway/context.ts";
import { enforceAttestations } from "#gateway/operations/safety.ts";

/** What a model's files ask of who copies them. Of a model that is gone nobody knows it any more: the most is asked. */
export function requirementsOf({ catalog }: Context, model: string): SafetyRequirements {
  return catalog.model(model, everyone)?.safety_requirements ?? adultWithPersonRights;
}

export function isGated(context: Context, model: string): boolean {
  const needed = requirementsOf(context, model);
  return needed.adult_attestation_required || needed.portrait_rights_attestation_required;
}

/** Throws `adult_attestation_required` and `portrait_rights_attestation_required`, as a run of the model would. */
export function enforceGates(context: Context, who: Attester, model: string): Promise<void> {
  return enforceAttestations(context, who, requirementsOf(context, model));
}
