import { compileOnce } from "#gateway/catalog/compile.ts";
import { ownEntries } from "#gateway/catalog/entries.ts";
import type { Entry } from "#gateway/catalog/entry.ts";
import { asPublished, type OfferedEntry, type OwnChange } from "#gateway/catalog/offered.ts";
import type { Queries } from "#gateway/database/database.ts";
import { readOwnModels, readSettings, type SettingsRow, type StoredModel } from "./stored-models.ts";

/** What the catalog offers, and the last change of operators' entries. */
export interface OfferedModels {
  offered: readonly OfferedEntry[];
  change: OwnChange | null;
  /** Entries of operators that cannot be offered, with the reason. */
  unusable: readonly { id: string; reason: string }[];
}

/** Entries that were read before: one that has not changed keeps its object, and so what was compiled of it. */
export type KnownEntries = Map<string, Entry>;

/** The entries of the specification, then those of operators, as operators set them. */
export async function readOffered(queries: Queries, known: KnownEntries): Promise<OfferedModels> {
  const stored = await readOwnModels(queries);
  const settings = await readSettings(queries);
  const own = stored
    .filter(({ row }) => row.leftAt === null)
    .reverse()
    .map((model) => ({ ...asPublished(entryOf(model, known)), revision: model.row.revision }));
  const unusable = own.flatMap(({ entry }) => problemOf(entry));
  const usable = own.filter(({ entry }) => !unusable.some(({ id }) => id === entry.id));
  const offered = [...ownEntries.load().map(asPublished), ...usable];
  return {
    unusable,
    offered: offered.map((one) => withSettings(one, settings.get(one.entry.id))),
    change: lastChange(stored),
  };
}

function entryOf({ row, content }: StoredModel, known: KnownEntries): Entry {
  const before = known.get(row.id);
  // A revision is never changed, so equal text means the same revision also after another entry took the id.
  if (before && JSON.stringify(before) === JSON.stringify(content.entry)) return before;
  known.set(row.id, content.entry);
  return content.entry;
}

/** One broken entry must not stop the others, nor the start. */
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
  const { displayName, hidden, accounts } = settings;
  return { ...offered, displayName, hidden, accounts: accounts && new Set(accounts) };
}

function lastChange(stored: readonly StoredModel[]): OwnChange | null {
  const [first, ...more] = stored;
  if (!first) return null;
  const last = more.reduce(
    (one, other) => (other.row.changeNumber > one.row.changeNumber ? other : one),
    first,
  );
  return { at: last.row.updatedAt, number: last.row.changeNumber };
}
