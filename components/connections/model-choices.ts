import type { AttestationStatement } from "#contract/attestations.ts";
import type { CatalogModel } from "#contract/catalog.ts";

export interface ModelChoice {
  id: string;
  /** Why no client may use the model. Null: any client may. */
  barred: string | null;
  /** Whether a client gets the model only if the consent names it. */
  gated: boolean;
}

/** The models that a client may get, and those that it may not. */
export function modelChoices(
  models: readonly CatalogModel[],
  statements: readonly Pick<AttestationStatement, "kind" | "active">[],
): ModelChoice[] {
  const stands = (kind: AttestationStatement["kind"]) =>
    statements.some((statement) => statement.kind === kind && statement.active);
  return models.map(({ id, safety_requirements: safety }) => {
    const lacksAdult = safety.adult_attestation_required && !stands("adult");
    const lacksPortrait = safety.portrait_rights_attestation_required && !stands("portrait_rights");
    return {
      id,
      gated: safety.adult_attestation_required || safety.portrait_rights_attestation_required,
      barred: safety.per_request_person_rights_confirmation_required
        ? "a person confirms each run"
        : lacksAdult || lacksPortrait
          ? "you have not attested"
          : null,
    };
  });
}
