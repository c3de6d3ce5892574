import { compileOnce } from "#gateway/models/catalog/compile.ts";
import { ownEntries } from "#gateway/models/catalog/entries.ts";
import type { Entry } from "#gateway/models/catalog/entry.ts";
import { asPublished, type OfferedEntry, type OwnChange } from "#gateway/models/catalog/offered-entry.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { countRunning } from "./running.ts";
import { readOwnModels, readSettings, type SettingsRow, type StoredModel } from "./stored-models.ts";

/** The entries that the catalog offers, and the last changes of operators' entries. */
export interface OfferedEntries {
  offered: readonly OfferedEntry[];
  changes: readonly OwnChange[];
  /** Operators' entries that cannot be offered, with the reason. */
  unusable: readonly { id: string; reason: string }[];
}

/** Entries read earlier: an unchanged entry keeps its object, and with it its compiled schemas. */
export type KnownEntries = Map<string, Entry>;

/** The specification's entries, then the operators', with the operators' settings. */
export async function readOfferedEntries(queries: Queries, known: KnownEntries): Promise<OfferedEntries> {
  const stored = await readOwnModels(queries);
  const settings = await readSettings(queries);
  const running = new Set((await countRunning(queries)).map(({ model }) => model));
  const own = stored
    .filter(({ row }) => row.leftAt === null || running.has(row.id) || hasJustLeft(row.leftAt))
    .reverse()
    .map((model) => ({ ...asPublished(entryOf(model, known)), revision: model.row.revision }));
  const unusable = own.flatMap(({ entry }) => problemOf(entry));
  const usable = own.filter(({ entry }) => !unusable.some(({ id }) => id === entry.id));
  const offered = [...ownEntries.load().map(asPublished), ...usable];
  const left = new Set(stored.filter(({ row }) => row.leftAt !== null).map(({ row }) => row.id));
  return {
    unusable,
    offered: offered.map((one) =>
      left.has(one.entry.id)
        ? { ...one, hidden: true, accounts: nobody }
        : withSettings(one, settings.get(one.entry.id)),
    ),
    changes: stored.map(({ row }) => ({
      at: row.updatedAt,
      number: row.changeNumber,
      accounts: accountsOf(settings.get(row.id)),
    })),
  };
}

/**
 * A deleted entry is visible to no account, but for a while its running and just accepted predictions still
 * find its routes.
 */
const nobody: ReadonlySet<string> = new Set();
const leavesForMs = 60_000;

function hasJustLeft(leftAt: Date): boolean {
  return clock.now() - leftAt.getTime() < leavesForMs;
}

function entryOf({ row, content }: StoredModel, known: KnownEntries): Entry {
  const before = known.get(row.id);
  // Revisions never change, so equal text means the same revision, even if another entry took the id.
  if (before && JSON.stringify(before) === JSON.stringify(content.entry)) return before;
  known.set(row.id, content.entry);
  return content.entry;
}

/** A broken entry must not block the others or the start. */
function problemOf(entry: Entry): { id: string; reason: string }[] {
  try {
    for (const operation of entry.operations) compileOnce(operation);
    return [];
  } catch (error) {
    return [{ id: entry.id, reason: error instanceof Error ? error.message : String(error) }];
  }
}

function withSettings(offered: OfferedEntry, settings: SettingsRow | undefined): OfferedEntry {
  if (!settings) return offered;
  const { displayName, hidden } = settings;
  return { ...offered, displayName, hidden, accounts: accountsOf(settings) };
}

function accountsOf(settings: SettingsRow | undefined): ReadonlySet<string> | null {
  return settings?.accounts ? new Set(settings.accounts) : null;
}
