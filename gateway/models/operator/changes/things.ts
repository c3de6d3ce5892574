import type { Queries } from "#gateway/platform/database/database.ts";
import { asc, inArray, sql } from "#gateway/platform/database/drizzle.ts";
import { configurationChanges } from "#gateway/platform/database/schema.ts";

/** A change as the history of its things reads it. */
export interface HistoryRow {
  id: string;
  targetId: string;
  /** The things that it changed, by their ids; null in rows of before: then it is its target, as a whole. */
  touches: string[] | null;
  /** The change that it took back. */
  undoes: string | null;
}

/** The changes of one thing that are in force, and those that were undone; the next to undo and to redo stand last. */
interface History {
  done: string[];
  undone: string[];
}

/** Which changes can be undone or redone now. Each thing has a history of its own: any other change ends its redoing. */
export class Histories {
  readonly #ofThing = new Map<string, History>();
  readonly #thingsOfTarget = new Map<string, Set<string>>();
  readonly #things = new Map<string, readonly string[]>();

  /** `rows`: all changes of the things in question, oldest first. */
  constructor(rows: readonly HistoryRow[]) {
    for (const row of rows) this.#add(row);
  }

  /** Every thing that the change touched is as the change left it. */
  isOpen(id: string): boolean {
    const things = this.#things.get(id) ?? [];
    const stands = (side: keyof History) => things.every((thing) => this.#of(thing)[side].at(-1) === id);
    return things.length > 0 && (stands("done") || stands("undone"));
  }

  #add({ id, targetId, touches, undoes }: HistoryRow): void {
    const known = this.#thingsOfTarget.get(targetId) ?? new Set();
    this.#thingsOfTarget.set(targetId, known);
    const things = touches ?? [targetId];
    // Which things of its target it changed is not known, so it may be any.
    if (touches === null) for (const thing of known) if (thing !== targetId) this.#ofThing.delete(thing);
    this.#things.set(id, things);
    for (const thing of new Set([...things, targetId])) {
      known.add(thing);
      const history = this.#of(thing);
      if (undoes !== null && history.done.at(-1) === undoes) {
        history.done.pop();
        history.undone.push(id);
      } else if (undoes !== null && history.undone.at(-1) === undoes) {
        history.undone.pop();
        history.done.push(id);
      } else {
        history.done.push(id);
        history.undone = [];
      }
    }
  }

  #of(thing: string): History {
    const known = this.#ofThing.get(thing);
    if (known) return known;
    const fresh = { done: [], undone: [] };
    this.#ofThing.set(thing, fresh);
    return fresh;
  }
}

/** The histories that decide about these changes. */
export async function readHistories(queries: Queries, ids: readonly string[]): Promise<Histories> {
  if (ids.length === 0) return new Histories([]);
  const { id, targetId, touches, undoes } = configurationChanges;
  const wanted = await queries
    .select({ targetId, touches })
    .from(configurationChanges)
    .where(inArray(id, [...ids]));
  const things = [...new Set(wanted.flatMap((row) => [row.targetId, ...(row.touches ?? [])]))];
  const named = sql.param(things);
  const rows = await queries
    .select({ id, targetId, touches, undoes })
    .from(configurationChanges)
    .where(sql`${targetId} = any(${named}::text[]) or ${touches} && ${named}::text[]`)
    .orderBy(asc(id));
  return new Histories(rows);
}
