import type { AttestationKind } from "#contract/attestations.ts";
import type { SafetyRequirements } from "#contract/catalog.ts";
import { everyone } from "#gateway/catalog/offered-entry.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import { and, eq, inArray } from "#gateway/database/drizzle.ts";
import { ownModelRevisions, ownModels } from "#gateway/database/schema.ts";
import { type Attester, activeAttestations } from "./active.ts";

type Needs = Pick<SafetyRequirements, "adult_attestation_required" | "portrait_rights_attestation_required">;

/** Of a model that nobody knows any more: what it made is shown to nobody who has not attested everything. */
const unknownModel: Needs = { adult_attestation_required: true, portrait_rights_attestation_required: true };

/**
 * What somebody must have attested to look at the files that a model made: the same as to run it. Models that are not
 * offered any more ask what they asked last.
 */
export async function attestationsToLook(
  { catalog, database }: Pick<Context, "catalog" | "database">,
  models: readonly string[],
): Promise<(model: string) => readonly AttestationKind[]> {
  const needs = new Map<string, Needs>();
  for (const id of new Set(models)) {
    const offered = catalog.model(id, everyone);
    if (offered) needs.set(id, offered.safety_requirements);
  }
  const gone = [...new Set(models)].filter((id) => !needs.has(id));
  if (gone.length > 0) {
    const rows = await database.queries
      .select({ id: ownModels.id, entry: ownModelRevisions.entry })
      .from(ownModels)
      .innerJoin(
        ownModelRevisions,
        and(eq(ownModelRevisions.modelId, ownModels.id), eq(ownModelRevisions.revision, ownModels.revision)),
      )
      .where(inArray(ownModels.id, gone));
    for (const { id, entry } of rows)
      needs.set(id, (entry as { safety_requirements?: Needs }).safety_requirements ?? unknownModel);
  }
  return (model) => kindsOf(needs.get(model) ?? unknownModel);
}

/**
 * The attestation that this caller lacks to look at what a model made; null: they may look. Read from the database for each
 * request, so that a withdrawal holds at once.
 */
export async function missingToLook(
  context: Pick<Context, "catalog" | "database">,
  attester: Attester,
  models: readonly string[],
): Promise<(model: string) => AttestationKind | null> {
  const neededFor = await attestationsToLook(context, models);
  const isGated = models.some((model) => neededFor(model).length > 0);
  const active = isGated ? await activeAttestations(context.database.queries, attester) : new Set();
  return (model) => neededFor(model).find((kind) => !active.has(kind)) ?? null;
}

/** Throws `adult_attestation_required` or `portrait_rights_attestation_required`. */
export async function assertMayLook(
  context: Pick<Context, "catalog" | "database">,
  attester: Attester,
  model: string,
): Promise<void> {
  const missing = (await missingToLook(context, attester, [model]))(model);
  if (missing !== null)
    throw new ApiError(
      `${missing}_attestation_required`,
      `Files that ${model} made are shown only to who has attested "${missing}" in the console (Attestations); for a service key, the member who is responsible for it.`,
    );
}

function kindsOf(needs: Needs): readonly AttestationKind[] {
  return [
    ...(needs.adult_attestation_required ? (["adult"] as const) : []),
    ...(needs.portrait_rights_attestation_required ? (["portrait_rights"] as const) : []),
  ];
}
