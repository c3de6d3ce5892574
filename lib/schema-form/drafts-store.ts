import { type Draft, readDraft, storable } from "./draft.ts";

/** A larger draft holds inline files; it stays in the page, but is lost when the page is left. */
const maxStoredCharacters = 1_000_000;

const keyOf = (accountId: string, operationId: string) => `gatehouse:draft:${accountId}:${operationId}`;

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/**
 * Drafts in this browser, one per account and operation. If storage is full or forbidden, only the drafts are
 * lost.
 */
export function draftsStore(accountId: string, store: Store | null = browserStore()) {
  return {
    load(operationId: string): Draft | null {
      const text = attempt(() => store?.getItem(keyOf(accountId, operationId)) ?? null);
      if (!text) return null;
      const draft = readDraft(text);
      // Invalid text is kept too: the JSON tab shows its error.
      return draft.value ? { ...draft, value: storable(draft.value) } : draft;
    },
    /** False if the browser could not store the draft. */
    save(operationId: string, draft: Draft): boolean {
      const confirmed =
        draft.value && Object.keys(storable(draft.value)).length < Object.keys(draft.value).length;
      const text = draft.value && confirmed ? JSON.stringify(storable(draft.value), null, 2) : draft.text;
      if (text.length > maxStoredCharacters || mentionsConfirmation(draft)) return false;
      return (
        attempt(() => {
          store?.setItem(keyOf(accountId, operationId), text);
          return store !== null;
        }) ?? false
      );
    },
    forget(operationId: string): void {
      attempt(() => store?.removeItem(keyOf(accountId, operationId)));
    },
  };
}

/**
 * The confirmation cannot be removed from invalid JSON, so such a text is not stored if it mentions the
 * confirmation.
 */
function mentionsConfirmation(draft: Draft): boolean {
  return draft.value === null && draft.text.includes("person_rights_confirmed");
}

export function browserStore(): Store | null {
  return attempt(() => globalThis.localStorage) ?? null;
}

function attempt<Value>(act: () => Value): Value | null {
  try {
    return act();
  } catch {
    return null;
  }
}
