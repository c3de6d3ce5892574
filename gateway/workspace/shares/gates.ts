import type { AttestationKind } from "#contract/attestations.ts";
import { accountsOfUser } from "#gateway/access/accounts/read-account.ts";
import type { Context } from "#gateway/context.ts";
import { attestationsToLook, Clearance } from "#gateway/models/catalog/clearance.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";

/** Which of these models ask for attestations of who looks at what they made. */
export async function gatedAmong(context: Context, models: readonly string[]): Promise<ReadonlySet<string>> {
  const neededFor = await attestationsToLook(context);
  return new Set(models.filter((model) => neededFor(model).length > 0));
}

/**
 * Lets a signed-in person pass who has attested what all of these models ask for, in any one of their accounts. Throws
 * `user_session_required`, `adult_attestation_required` or `portrait_rights_attestation_required`.
 */
export async function assertPersonMayLook(
  context: Context,
  viewer: Actor | null,
  models: readonly string[],
): Promise<void> {
  if (viewer?.kind !== "user")
    throw new ApiError(
      "user_session_required",
      "Only people who are signed in, and who attested what the model asks for, can open this link.",
    );
  const { id: userId } = viewer;
  let first: AttestationKind | null = null;
  for (const { id: accountId } of await accountsOfUser(context.database.queries, userId)) {
    const clearance = await Clearance.of(context, { accountId, userId, answeredBy: userId }, models);
    const missing = clearance.missingAmong(models);
    if (missing === null) return;
    first ??= missing;
  }
  throw new ApiError(
    `${first ?? "adult"}_attestation_required`,
    "Confirm in the console (Attestations) what the model asks for, then open this link again.",
  );
}
