import type { AttestationKind } from "#contract/attestations.ts";
import type { SafetyRequirements } from "#contract/catalog.ts";
import { type Attester, activeAttestations } from "#gateway/access/accounts/attestations/gates.ts";
import { previewUrl } from "#gateway/files/previews/url.ts";
import { fileUrl, type ReadableKey } from "#gateway/files/storage/signed-urls.ts";
import type { ModelsContext } from "#gateway/models/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { and, eq, type PgColumn, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { ownModelRevisions, ownModels } from "#gateway/platform/database/schema.ts";
import { everyone } from "./entry.ts";

type Known = Pick<ModelsContext, "catalog" | "database">;
type Needs = Pick<SafetyRequirements, "adult_attestation_required" | "portrait_rights_attestation_required">;

/** The catalog no longer has the model, so only a reader with every attestation may see its output. */
const unknownModel: Needs = { adult_attestation_required: true, portrait_rights_attestation_required: true };

/** A stored file made by a model. */
interface MadeFile {
  model: string;
  key: string;
  contentType: string;
  /** When its URLs expire. */
  expiresAt: Date;
}

/**
 * The URLs of a file as answers show them; both are null when `gated` names an attestation that the reader
 * lacks.
 */
export interface FileAddresses {
  url: string | null;
  preview_url: string | null;
  gated: AttestationKind | null;
}

/**
 * Decides what one reader may see of models' output: file URLs, texts of chats, and the inputs of both. Every
 * view takes one, and only a `Clearance` turns an output's key into a URL, so that no view can forget the
 * check. Make a new one for each request and each event of a stream, so that a withdrawal takes effect at
 * once.
 */
export class Clearance {
  /**
   * Hides nothing. For signed events, which go to the account's registered endpoints, and for the answer to
   * the caller whom the gates have just admitted.
   */
  static readonly full = new Clearance(() => null);

  /** The attestation that the reader lacks to see this model's output; null: none. */
  readonly missing: (model: string) => AttestationKind | null;

  private constructor(missing: (model: string) => AttestationKind | null) {
    this.missing = missing;
  }

  /**
   * The clearance of somebody without attestations, for output of these models. For callbacks, which only a
   * request names.
   */
  static async withoutAttestations(context: Known, models: readonly string[]): Promise<Clearance> {
    const neededFor = await attestationsToLook(context);
    return new Clearance((model) => (models.includes(model) ? neededFor(model) : [])[0] ?? null);
  }

  /**
   * The clearance of a person or key for the output of these models. Hides the output of any other model that
   * needs an attestation.
   */
  static async of(context: Known, reader: Attester, models: readonly string[]): Promise<Clearance> {
    const neededFor = await attestationsToLook(context);
    const isGated = models.some((model) => neededFor(model).length > 0);
    const active = isGated ? await activeAttestations(context.database.queries, reader) : new Set();
    return new Clearance((model) => neededFor(model).find((kind) => !active.has(kind)) ?? null);
  }

  /** The first attestation that the reader lacks for any of these models. */
  missingAmong(models: readonly string[]): AttestationKind | null {
    return models.map(this.missing).find((kind) => kind !== null) ?? null;
  }

  /** Throws `adult_attestation_required` or `portrait_rights_attestation_required`. */
  assert(model: string): void {
    const missing = this.missing(model);
    if (missing === null) return;
    throw new ApiError(
      `${missing}_attestation_required`,
      `Inputs and outputs of ${model} are shown only to people who have attested "${missing}" in the console (Attestations), and to their keys. For a service key, the member who is responsible for it must attest.`,
    );
  }

  addresses(context: Parameters<typeof fileUrl>[0], { model, ...file }: MadeFile): FileAddresses {
    const gated = this.missing(model);
    if (gated !== null) return { url: null, preview_url: null, gated };
    const key = file.key as ReadableKey;
    return {
      url: fileUrl(context, key, file),
      preview_url: previewUrl(context, { ...file, key }),
      gated,
    };
  }
}

/** Checks that the caller may see the model's output. Throws the errors of `Clearance.assert`. */
export async function assertMayLook(context: Known, reader: Attester, model: string): Promise<void> {
  (await Clearance.of(context, reader, [model])).assert(model);
}

/** The attestations needed to look at a model's files: the same as to run it. */
export async function attestationsToLook(
  context: Known,
): Promise<(model: string) => readonly AttestationKind[]> {
  const needs = await needsOfModels(context);
  return (model) => kindsOf(needs.get(model) ?? unknownModel);
}

/** An SQL condition for the rows whose texts this reader may see; undefined if that is every row. */
export async function searchableBy(
  context: Known,
  reader: Attester,
  modelColumn: PgColumn,
): Promise<SQL | undefined> {
  const active = await activeAttestations(context.database.queries, reader);
  if (kindsOf(unknownModel).every((kind) => active.has(kind))) return undefined;
  const models = [...(await needsOfModels(context))]
    .filter(([, needs]) => kindsOf(needs).every((kind) => active.has(kind)))
    .map(([id]) => id);
  return sql`${modelColumn} = any (${sql.param(models)}::text[])`;
}

const needsOfCatalogs = new WeakMap<object, Promise<ReadonlyMap<string, Needs>>>();

/**
 * The attestations that each model requires; an operator's model that was deleted keeps its last
 * requirements. Read again when the catalog changes.
 */
function needsOfModels({ catalog, database }: Known): Promise<ReadonlyMap<string, Needs>> {
  const current = catalog.sightOf(everyone);
  const read = needsOfCatalogs.get(current) ?? readNeeds({ catalog, database });
  needsOfCatalogs.set(current, read);
  read.catch(() => needsOfCatalogs.delete(current));
  return read;
}

async function readNeeds({ catalog, database }: Known): Promise<ReadonlyMap<string, Needs>> {
  const offered = catalog.list({}, everyone).data;
  const gone = await database.queries
    .select({
      id: ownModels.id,
      needs: sql<Needs | null>`${ownModelRevisions.entry} -> 'safety_requirements'`,
    })
    .from(ownModels)
    .innerJoin(
      ownModelRevisions,
      and(eq(ownModelRevisions.modelId, ownModels.id), eq(ownModelRevisions.revision, ownModels.revision)),
    )
    .where(sql`${ownModels.id} <> all (${sql.param(offered.map(({ id }) => id))}::text[])`);
  return new Map([
    ...gone.map(({ id, needs }) => [id, needs ?? unknownModel] as const),
    ...offered.map((model) => [model.id, model.safety_requirements] as const),
  ]);
}

function kindsOf(needs: Needs): readonly AttestationKind[] {
  return [
    ...(needs.adult_attestation_required ? (["adult"] as const) : []),
    ...(needs.portrait_rights_attestation_required ? (["portrait_rights"] as const) : []),
  ];
}
