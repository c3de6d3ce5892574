import type { SafetyRequirements } from "#contract/catalog.ts";
import type { BaseContext } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { apiKeys } from "#gateway/platform/database/schema.ts";
import { type Attester, activeAttestations, answererName } from "./active.ts";

/**
 * The three safety checks, in the order of the contract; most models need none. Throws the error of the first
 * failed check.
 */
export function enforceSafety(
  context: BaseContext,
  attester: Attester,
  requirements: SafetyRequirements,
  body: Record<string, unknown>,
): Promise<void> | undefined {
  const isGated =
    requirements.adult_attestation_required ||
    requirements.portrait_rights_attestation_required ||
    requirements.per_request_person_rights_confirmation_required;
  return isGated ? enforceGates(context, attester, requirements, body) : undefined;
}

async function enforceGates(
  context: BaseContext,
  attester: Attester,
  requirements: SafetyRequirements,
  body: Record<string, unknown>,
): Promise<void> {
  await enforceAttestations(context, attester, requirements);
  if (requirements.per_request_person_rights_confirmation_required && body.person_rights_confirmed !== true)
    throw new ApiError(
      "person_rights_confirmation_required",
      "Confirm for this request that every identifiable person is you or has authorized it: person_rights_confirmed must be true.",
      { param: "person_rights_confirmed" },
    );
}

/**
 * Checks required attestations and fails closed: an attestation that cannot be read counts as missing.
 * Attestations are read from the database at every gated request, and again before an accepted run is sent to
 * its provider, so that a withdrawal takes effect at once.
 */
export async function enforceAttestations(
  context: BaseContext,
  attester: Attester,
  requirements: SafetyRequirements,
): Promise<void> {
  const needsAdult = requirements.adult_attestation_required;
  const needsPortrait = requirements.portrait_rights_attestation_required;
  if (!needsAdult && !needsPortrait) return;
  const active = await activeAttestations(context.database.queries, attester);
  if (needsAdult && !active.has("adult"))
    throw new ApiError(
      "adult_attestation_required",
      `${await whoMust(context, attester)} confirm in the console (Attestations) that they are an adult.`,
    );
  if (needsPortrait && !active.has("portrait_rights"))
    throw new ApiError(
      "portrait_rights_attestation_required",
      `${await whoMust(context, attester)} confirm portrait rights in the console (Attestations).`,
    );
}

/**
 * The user whose attestations an accepted run needs now: its member, or for a service key the user responsible.
 */
export async function attesterOf(
  { database }: BaseContext,
  { accountId, userId, keyId }: { accountId: string; userId: string | null; keyId: string | null },
): Promise<Attester> {
  if (userId !== null) return { accountId, userId, answeredBy: userId };
  const [key] = await database.queries
    .select({ userId: apiKeys.userId, answeredBy: apiKeys.answeredBy })
    .from(apiKeys)
    .where(eq(apiKeys.id, keyId ?? ""));
  return { accountId, userId: key?.userId ?? null, answeredBy: key?.userId ?? key?.answeredBy ?? null };
}

async function whoMust({ database }: BaseContext, who: Attester): Promise<string> {
  if (who.userId !== null) return "The member who sends the request must";
  const name = await answererName(database.queries, who);
  return name === null
    ? "Nobody is responsible for this service key. An owner or admin must take it over in the console (Team) and"
    : `${name}, who is responsible for this service key, must`;
}
