import type { Context } from "#gateway/context.ts";
import type { CompiledOperation } from "#gateway/models/catalog/catalog.ts";
import { asPublished, everyone, type OfferedEntry } from "#gateway/models/catalog/entry.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Database } from "#gateway/platform/database/database.ts";
import { findRevision } from "./revisions.ts";

/** At most this many old revisions are cached in compiled form. */
const maxKept = 100;
const kept = new WeakMap<Database, Map<string, OfferedEntry>>();

interface Run {
  model: string;
  apiType: string;
  entryRevision: number | null;
}

/**
 * The operation of a running prediction in the revision that accepted it, regardless of later changes and of
 * who may see the entry now. Null if there is no such entry.
 */
export async function operationOfRun(
  context: Context,
  { model, apiType, entryRevision }: Run,
): Promise<CompiledOperation | null> {
  const read = () => context.catalog.operation(model, apiType, everyone);
  const known = read();
  if (entryRevision === null || known?.revision === entryRevision) return known;
  // Another process accepted the run with a newer configuration, whose routes the run needs.
  if ((known?.revision ?? 0) < entryRevision) await context.configuration.refresh();
  const current = read();
  if (current?.revision === entryRevision) return current;
  const offered = await oldRevision(context.database, model, entryRevision);
  return offered && context.catalog.operationOf(offered, apiType);
}

async function oldRevision(database: Database, id: string, revision: number): Promise<OfferedEntry | null> {
  const known = kept.get(database) ?? new Map<string, OfferedEntry>();
  kept.set(database, known);
  const key = `${id} ${revision}`;
  const found = known.get(key);
  if (found) return found;
  const row = await findRevision(database.queries, id, revision).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === "revision_not_found") return null;
    throw error;
  });
  if (!row) return null;
  const offered = { ...asPublished(row.entry), revision };
  if (known.size >= maxKept) known.clear();
  known.set(key, offered);
  return offered;
}
