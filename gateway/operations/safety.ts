import type { SafetyRequirements } from "#contract/catalog.ts";
import { type Attester, activeAttestations } from "#gateway/accounts/attestations/active.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/core/api-error.ts";

/**
 * The three safety checks, in the order of the contract, failing closed: unreadable counts as not attested.
 * Attestations are read from the database at every gated request, so that a withdrawal holds at once.
 */
export async function enforceSafety(
  context: Context,
  attester: Attester,
  requirements: SafetyRequirements,
  body: Record<string, unknown>,
): Promise<void> {
  const needsAdult = requirements.adult_attestation_required;
  const needsPortrait = requirements.portrait_rights_attestation_required;
  if (needsAdult || needsPortrait) {
    const active = await activeAttestations(context.database.queries, attester);
    if (needsAdult && !active.has("adult"))
      throw new ApiError(
        "adult_attestation_required",
        `${who(attester)} must confirm in the console (Attestations) that they are an adult.`,
      );
    if (needsPortrait && !active.has("portrait_rights"))
      throw new ApiError(
        "portrait_rights_attestation_required",
        `${who(attester)} must confirm portrait rights in the console (Attestations).`,
      );
  }
  if (requirements.per_request_person_rights_confirmation_required && body.person_rights_confirmed !== true)
    throw new ApiError(
      "person_rights_confirmation_required",
      "Confirm for this request that every identifiable person is you or has authorized it: person_rights_confirmed must be true.",
      { param: "person_rights_confirmed" },
    );
}

function who({ userId }: Attester): string {
  return userId === null ? "The owner or admin who answers for this service key" : "The member who asks";
}
