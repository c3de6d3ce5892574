import { type Draft, readDraft, storable } from "./draft.ts";

/** A larger draft contains inline files. It is not stored, so it is lost when the user leaves the page. */
const maxStoredCharacters = 1_000_000;

const keyOf = (accountId: string, operationId: string) => `gatehouse:draft:${accountId}:${operationId}`;

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/**
 * Drafts in this browser, one for each account and operation. If the browser cannot store them, nothing else
 * is affected.
 */
export function draftsStore(accountId: string, store: Store | null = browserStore()) {
  return {
    load(operationId: string): Draft | null {
      const text = attempt(() => store?.getItem(keyOf(accountId, operationId)) ?? null);
      if (!text) return null;
      const draft = readDraft(text);
      // Invalid text is stored too, because the JSON tab shows its error.
      return draft.value ? { ...draft, value: storable(draft.value) } : draft;
    },
    /** Stores the draft. Returns false when the browser cannot. */
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

/** The confirmation cannot be removed from invalid JSON, so a text that contains it is not stored. */
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
