import type { AutomaticCopies } from "#contract/copies.ts";
import type { Context } from "#gateway/context.ts";
import { assertMayLook } from "#gateway/models/catalog/clearance.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";

interface Choice {
  automatic: AutomaticCopies;
  models: string[];
}

/**
 * Which files are copied by themselves. Models may be any, for one may come later; who names a gated one must have attested for it.
 * Throws `invalid_parameter`, `adult_attestation_required`, `portrait_rights_attestation_required`.
 */
export async function checkedChoice(
  context: Context,
  actor: Actor,
  { automatic, models }: Choice,
): Promise<Choice> {
  if (automatic !== "chosen") return { automatic, models: [] };
  if (models.length === 0)
    throw new ApiError("invalid_parameter", "Name the models whose files are copied.", { param: "models" });
  const { catalog } = context;
  for (const model of models)
    if (catalog.has(model, actor.accountId)) await assertMayLook(context, actor, model);
  return { automatic, models };
}

/** By whose attestations files of gated models are then copied. */
export function answeredBy({ kind, id, userId }: Actor): { userId: string | null; keyId: string | null } {
  return { userId, keyId: kind === "key" ? id : null };
}
