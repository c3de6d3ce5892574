import type { AttestationKind } from "#contract/attestations.ts";
import type { Context } from "#gateway/context.ts";
import { Clearance } from "#gateway/models/catalog/clearance.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { ConversationRow } from "./find.ts";

type Models = Pick<ConversationRow, "model" | "secondModel">;

const modelsOf = ({ model, secondModel }: Models) => [model, ...(secondModel === null ? [] : [secondModel])];

/** The attestation that this caller lacks to read each of these conversations; null: they may. */
export async function missingToRead(
  context: Context,
  actor: Actor,
  rows: readonly Models[],
): Promise<(row: Models) => AttestationKind | null> {
  const clearance = await Clearance.of(context, actor, rows.flatMap(modelsOf));
  return (row) => clearance.missingAmong(modelsOf(row));
}

/** Throws `adult_attestation_required` or `portrait_rights_attestation_required`. */
export async function assertMayRead(context: Context, actor: Actor, row: Models): Promise<void> {
  const kind = (await missingToRead(context, actor, [row]))(row);
  if (kind !== null)
    throw new ApiError(
      `${kind}_attestation_required`,
      `To read or save a conversation with ${modelsOf(row).join(" and ")}, first attest "${kind}" in the console (Attestations). For a service key, the member who is responsible for it has to.`,
    );
}
