import { isObject, type JsonObject } from "./json.ts";
import type { FormPlan, PlannedField } from "./plan.ts";

/** The confirmation that every run needs. It is never pre-set and never stored. */
export const confirmationKey = "person_rights_confirmed";

/** The text of the JSON tab is the source. The form and the code are views of it. */
export interface Draft {
  text: string;
  /** The parsed text. Null if it is not a JSON object. */
  value: JsonObject | null;
}

/** A draft from the text of the JSON tab. */
export function readDraft(text: string): Draft {
  try {
    const value: unknown = JSON.parse(text);
    return { text, value: isObject(value) ? value : null };
  } catch {
    return { text, value: null };
  }
}

export function writeDraft(value: JsonObject): Draft {
  return { text: JSON.stringify(value, null, 2), value };
}

/** A new visitor's first draft: the entry's example, with streaming if the operation supports it. */
export function exampleDraft(plan: FormPlan, example: JsonObject): Draft {
  const streams = plan.fields.some((field) => field.name === "stream") && !("stream" in example);
  return draftFromInput(streams ? { ...example, stream: true } : example);
}

/** A draft from a run's body, without the model and the confirmation that each run needs. */
export function draftFromInput(input: JsonObject): Draft {
  const { model: _model, ...rest } = storable(input);
  return writeDraft(rest);
}

/**
 * Copies the form's values into the draft. Keys of the plan follow the form: an undefined value removes the
 * key. All other keys stay, in their order.
 */
export function mergeForm(value: JsonObject, form: JsonObject, plan: FormPlan): JsonObject {
  const planned = new Set(plan.fields.map((field) => field.name));
  const kept = Object.entries(value).filter(([key]) => !planned.has(key) || form[key] !== undefined);
  const merged: JsonObject = Object.fromEntries(
    kept.map(([key, old]) => [key, planned.has(key) ? form[key] : old]),
  );
  for (const field of plan.fields) if (form[field.name] !== undefined) merged[field.name] = form[field.name];
  return merged;
}

/**
 * The only way from a draft to a request body. Fixed values of the plan replace the draft's, empty optional
 * fields are left out, and everything else is sent as written.
 */
export function toRequest(value: JsonObject, plan: FormPlan): JsonObject {
  const fields = new Map(plan.fields.map((field) => [field.name, field]));
  const body: JsonObject = { ...plan.fixed };
  for (const [key, entry] of Object.entries(value)) {
    if (key in plan.fixed || entry === undefined) continue;
    const field = fields.get(key);
    if (field && !field.required && isEmpty(entry)) continue;
    body[key] = field ? withoutEmptyParts(entry, field) : entry;
  }
  return body;
}

function isEmpty(value: unknown): boolean {
  return value === "" || value === null || (Array.isArray(value) && value.length === 0);
}

/** Removes nested optional texts that are empty in the form. */
function withoutEmptyParts(value: unknown, field: PlannedField): unknown {
  if (field.kind === "items" && Array.isArray(value))
    return value.map((item, at) => {
      const part = field.first[at] ?? field.item;
      return part ? withoutEmptyParts(item, part) : item;
    });
  if (field.kind !== "group" || !isObject(value)) return value;
  const parts = new Map(field.fields.map((part) => [part.name, part]));
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, entry]) => {
      const part = parts.get(key);
      if (part && !part.required && entry === "") return [];
      return [[key, part ? withoutEmptyParts(entry, part) : entry]];
    }),
  );
}

/** The part of a draft that may be stored. */
export function storable(value: JsonObject): JsonObject {
  const { [confirmationKey]: _confirmed, ...rest } = value;
  return rest;
}

/** A larger draft contains inline files. It is not stored, so it is lost when the user leaves the page. */
const maxStoredCharacters = 1_000_000;

const keyOf = (accountId: string, operationId: string) => `gatehouse:draft:${accountId}:${operationId}`;

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/**
 * Drafts in this tab, one for each account and operation. If the browser cannot store them, nothing else is
 * affected.
 */
export function draftsStore(accountId: string, store: Store | null = tabStore()) {
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

/**
 * The browser's storage as one tab sees it, so that two tabs do not share a draft: a tab keeps what it has read
 * or written, also over a reload. A new tab begins with what any tab wrote last.
 */
export function tabStore(
  all: Store | null = browserStore(),
  own: Store | null = attempt(() => globalThis.sessionStorage),
): Store | null {
  // A tab whose own storage fails shares that of the browser.
  const keep = (key: string, text: string) => {
    if (attempt(() => own?.setItem(key, text)) === null) attempt(() => own?.removeItem(key));
  };
  return (
    all && {
      getItem(key) {
        const kept = attempt(() => own?.getItem(key) ?? null);
        if (kept !== null) return kept;
        const text = all.getItem(key);
        keep(key, text ?? "");
        return text;
      },
      setItem(key, text) {
        keep(key, text);
        all.setItem(key, text);
      },
      removeItem(key) {
        keep(key, "");
        all.removeItem(key);
      },
    }
  );
}

function attempt<Value>(act: () => Value): Value | null {
  try {
    return act();
  } catch {
    return null;
  }
}
