import type { RegionName } from "#contract/catalog.ts";
import type { ProviderSettings } from "#contract/operator/providers.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq, sql } from "#gateway/platform/database/drizzle.ts";
import { providerConnections } from "#gateway/platform/database/schema.ts";
import type { Changed } from "../change.ts";
import type { Undoing } from "../changes/undoing.ts";
import { auditView } from "./audit-view.ts";
import { letGo } from "./delete.ts";
import { renameProvider, takeName } from "./names.ts";
import type { ConnectionRow } from "./read-connections.ts";

/**
 * Restores a provider to its state before a change. Its former keys stay in the row for a day. Throws
 * `change_not_undoable`.
 */
export async function restoreProvider(
  context: Context,
  queries: Queries,
  change: Undoing,
): Promise<Changed<void>> {
  const row = await keptProvider(queries, change.targetId);
  const { targetId, before, after } = change;
  if (before === null) {
    await letGo(queries, row);
    return { action: "provider.deleted", targetId, before: auditView(row), after: null, result: undefined };
  }
  if (after === null) {
    await bringBackProvider(queries, row);
    return { action: "provider.created", targetId, before: null, after: auditView(row), result: undefined };
  }
  const { name } = before as { name: string };
  if (name !== row.name) await renameProvider(context, queries, row, name);
  const [now = row] = await queries
    .update(providerConnections)
    .set({
      baseUrl: before.base_url as string | null,
      baseUrls: before.base_urls as Partial<Record<RegionName, string>>,
      allowPrivate: before.allow_private as boolean,
      settings: before.settings as ProviderSettings,
      ...(after.keys_changed_at !== undefined && { credentials: formerCredentials(row, change.id) }),
      updatedAt: sql`now()`,
    })
    .where(eq(providerConnections.id, row.id))
    .returning();
  return {
    action: "provider.updated",
    targetId,
    before: auditView(row),
    after: auditView(now, after.keys_changed_at === undefined ? undefined : now.updatedAt),
    finish: async (ownId) => {
      if (after.keys_changed_at === undefined) return;
      const former = { at: now.updatedAt.toISOString(), credentials: row.credentials };
      await queries
        .update(providerConnections)
        .set({ formerCredentials: { ...row.formerCredentials, [ownId]: former } })
        .where(eq(providerConnections.id, row.id));
    },
    result: undefined,
  };
}

/** A provider's row, even if it was deleted. Throws `change_not_undoable` if it has been erased. */
export async function keptProvider(queries: Queries, id: string): Promise<ConnectionRow> {
  const [row] = await queries.select().from(providerConnections).where(eq(providerConnections.id, id));
  if (row) return row;
  throw new ApiError(
    "change_not_undoable",
    "This provider was erased a day after it was deleted, with its keys. Connect it again.",
  );
}

/** Puts a deleted provider back into use. Throws `provider_exists` if another one has its name now. */
export async function bringBackProvider(queries: Queries, row: ConnectionRow): Promise<void> {
  if (row.goneAt !== null) await takeName(queries, row.name, row.id);
  await queries
    .update(providerConnections)
    .set({ leavingAt: null, goneAt: null })
    .where(eq(providerConnections.id, row.id));
}

function formerCredentials(row: ConnectionRow, changeId: string): ConnectionRow["credentials"] {
  const former = row.formerCredentials[changeId];
  if (former) return former.credentials;
  throw new ApiError(
    "change_not_undoable",
    "The former key was erased a day after it was replaced. Enter it again.",
  );
}
