import { isId } from "#contract/ids.ts";
import type { Kept, Manifest, Output, Provenance } from "#contract/outputs.ts";
import { readMakers } from "#gateway/access/accounts/people.ts";
import type { Context } from "#gateway/context.ts";
import { Clearance } from "#gateway/models/catalog/clearance.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { KeptRow } from "./of-runs.ts";
import { withManifests } from "./read-outputs.ts";
import { notRead } from "./reader.ts";
import type { OutputRow, StoredRow } from "./record.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * Outputs as this caller may see them, in the given order; outputs without any file are left out. Reads
 * manifests that were not read yet, or shows the known state.
 */
export async function outputViews(
  context: Context,
  actor: Actor,
  rows: readonly OutputRow[],
  kept: ReadonlyMap<string, KeptRow>,
  reads: "manifests" | "what is known" = "manifests",
): Promise<Output[]> {
  const stored = rows.flatMap((row): StoredRow[] => {
    const key = kept.get(row.id)?.key ?? row.key;
    return key === null ? [] : [{ ...row, key }];
  });
  const models = stored.map(({ model }) => model);
  const [read, clearance, makerOf] = await Promise.all([
    reads === "manifests" ? withManifests(context, stored) : stored,
    Clearance.of(context, actor, models),
    readMakers(context.database.queries, [...kept.values()]),
  ]);
  return read.map((row) => {
    const keptRow = kept.get(row.id) ?? null;
    return {
      ...outputView(context, row, keptRow, clearance),
      kept: keptRow && keptView(keptRow, makerOf, clearance),
    };
  });
}

function outputView(
  context: Context,
  row: StoredRow,
  kept: KeptRow | null,
  clearance: Clearance,
): Omit<Output, "kept"> {
  const expiresAt = kept ? readableUntil(kept) : row.expiresAt;
  return {
    id: row.id,
    object: "output",
    run_id: row.runId,
    prediction_id: predictionOf(row),
    position: row.position,
    model: row.model,
    api_type: row.apiType,
    ...clearance.addresses(context, { ...row, expiresAt }),
    content_type: row.contentType,
    size_bytes: row.sizeBytes,
    sandbox: row.sandbox,
    provenance: provenanceView(row.manifest, row.sha256),
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    keepable: context.config.keepOutputs,
    kept_until: kept?.keptUntil?.toISOString() ?? null,
  };
}

function keptView(row: KeptRow, makerOf: (row: KeptRow) => Kept["kept_by"], clearance: Clearance): Kept {
  return {
    kept_at: row.keptAt.toISOString(),
    kept_by: makerOf(row),
    labels: row.labels,
    prompt: clearance.missing(row.model) === null ? row.prompt : null,
    api_type: row.apiType,
    svc_region: row.svcRegion,
  };
}

/**
 * A kept file's URL works for about a day and stays the same for an hour, so that a page that reloads does
 * not load the file again.
 */
export function readableUntil({ keptUntil }: Pick<KeptRow, "keptUntil">): Date {
  const until = Math.ceil(clock.now() / hourMs) * hourMs + dayMs;
  return new Date(Math.min(until, keptUntil?.getTime() ?? until));
}

export function predictionOf({ runId }: Pick<OutputRow, "runId">): string | null {
  return isId("prediction", runId) ? runId : null;
}

export function provenanceView(manifest: Manifest | null, sha256: string | null): Provenance {
  return { ...(manifest ?? notRead), sha256 };
}
