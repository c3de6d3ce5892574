import type { Entry } from "./entry.ts";

/** An entry as this installation offers it. */
export interface OfferedEntry {
  entry: Entry;
  /** The revision of an operator's entry; null: it is the specification's. */
  revision: number | null;
  /** The name that people read; null: the id. */
  displayName: string | null;
  /** Left out of lists, but runs. */
  hidden: boolean;
  /** Who can see and use it; null: all accounts. */
  accounts: ReadonlySet<string> | null;
}

/** The last change of an operator's entry: its date, and a number that grows with each change of any. */
export interface OwnChange {
  at: Date;
  number: number;
  /** Who sees the entry; null: all accounts. */
  accounts: ReadonlySet<string> | null;
}

/** Who looks: an account, nobody in particular (null), or everybody together, for what runs already. */
export type Viewer = string | null | typeof everyone;
export const everyone: unique symbol = Symbol("everyone");

/** An entry of the specification as it is before an operator sets anything. */
export function asPublished(entry: Entry): OfferedEntry {
  return { entry, revision: null, displayName: null, hidden: false, accounts: null };
}

export function isSeenBy({ accounts }: Pick<OfferedEntry, "accounts">, viewer: Viewer): boolean {
  return accounts === null || viewer === everyone || (viewer !== null && accounts.has(viewer));
}
