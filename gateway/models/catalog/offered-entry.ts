import type { Entry } from "./entry.ts";

/** An entry as this installation offers it. */
export interface OfferedEntry {
  entry: Entry;
  /** The revision of an operator's entry; null for the specification's entries. */
  revision: number | null;
  /** The display name. If null, the id is shown. */
  displayName: string | null;
  /** Left out of lists, but usable. */
  hidden: boolean;
  /** The accounts that can see and use it; null for all accounts. */
  accounts: ReadonlySet<string> | null;
}

/**
 * The last change of an operator's entry: its date, and a number that grows with every change of any entry.
 */
export interface OwnChange {
  at: Date;
  number: number;
  /** The accounts that see the entry; null for all accounts. */
  accounts: ReadonlySet<string> | null;
}

/**
 * The reader of the catalog: an account, an anonymous reader (null), or `everyone` for code that needs every
 * entry, such as runs in progress.
 */
export type Viewer = string | null | typeof everyone;
export const everyone: unique symbol = Symbol("everyone");

/** An entry of the specification without any operator's settings. */
export function asPublished(entry: Entry): OfferedEntry {
  return { entry, revision: null, displayName: null, hidden: false, accounts: null };
}

export function isSeenBy({ accounts }: Pick<OfferedEntry, "accounts">, viewer: Viewer): boolean {
  return accounts === null || viewer === everyone || (viewer !== null && accounts.has(viewer));
}
