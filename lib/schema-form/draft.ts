import { isObject, type JsonObject } from "./json.ts";
import type { FormPlan, PlannedField } from "./plan.ts";

/** Asked for every run: never pre-set, never stored. */
export const confirmationKey = "person_rights_confirmed";

/** The text of the JSON tab is the truth; the form and the code are views of it. */
export interface Draft {
  text: string;
  /** The parsed text; null while it is not a JSON object. */
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

/** The draft that a new visitor starts with: the entry's example, streaming where it can. */
export function exampleDraft(plan: FormPlan, example: JsonObject): Draft {
  const streams = plan.fields.some((field) => field.name === "stream") && !("stream" in example);
  return draftFromInput(streams ? { ...example, stream: true } : example);
}

/** The body of a run as a draft, without what the request path sets and what each run must be asked for. */
export function draftFromInput(input: JsonObject): Draft {
  const { model: _model, ...rest } = storable(input);
  return writeDraft(rest);
}

/**
 * Puts what the form holds back into the draft's value: planned keys follow the form, all others stay as they are, in
 * the order in which they stood. A planned key that the form leaves undefined is taken out.
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
 * The one path from a draft to a request body: the plan's fixed values stand, optional fields that are empty are left
 * out, everything else goes as written.
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

/** Without the optional texts inside that the form left empty. */
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

/** What may be kept of a draft between visits. */
export function storable(value: JsonObject): JsonObject {
  const { [confirmationKey]: _confirmed, ...rest } = value;
  return rest;
}
