import { nearestName } from "#contract/nearest-name.ts";
import { isObject, type JsonObject } from "./json.ts";
import type { FormPlan, PlannedField } from "./plan.ts";

/** A key of a body that its operation does not have. */
export interface UnknownKey {
  /** Path of the object with the key. */
  segments: readonly (string | number)[];
  key: string;
  /** The known key that was probably meant and that the object lacks. Null: no name is similar. */
  meant: string | null;
}

/** Most unknown keys that are reported. A body with more has a different fault. */
const maxNamed = 10;
/** Keys that every operation accepts in addition to its own. */
const commonKeys = ["model", "metadata", "provider_options"];

/** The unknown keys of a body and its nested objects, in order. Chat messages are not checked. */
export function unknownKeys(body: JsonObject, plan: FormPlan): UnknownKey[] {
  const found: UnknownKey[] = [];
  const more = [...Object.keys(plan.fixed), ...plan.hidden, ...commonKeys];
  collectUnknown(body, plan.fields, more, [], found);
  return found;
}

function collectUnknown(
  object: JsonObject,
  fields: readonly PlannedField[],
  more: readonly string[],
  segments: readonly (string | number)[],
  found: UnknownKey[],
): void {
  const byName = new Map(fields.map((field) => [field.name, field]));
  for (const key of Object.keys(object)) {
    if (found.length === maxNamed) return;
    const field = byName.get(key);
    if (field) lookAt(object[key], field, [...segments, key], found);
    else if (!more.includes(key)) {
      const missing = [...byName.keys()].filter((name) => !Object.hasOwn(object, name));
      found.push({ segments, key, meant: nearestName(key, missing) });
    }
  }
}

function lookAt(
  value: unknown,
  field: PlannedField,
  segments: readonly (string | number)[],
  found: UnknownKey[],
): void {
  if (field.kind === "group" && field.further === null && isObject(value))
    collectUnknown(value, field.fields, Object.keys(field.fixed), segments, found);
  if (field.kind === "items" && Array.isArray(value))
    for (const [index, one] of value.entries()) {
      if (found.length === maxNamed) return;
      const item = field.first[index] ?? field.item;
      if (item) lookAt(one, item, [...segments, index], found);
    }
}

/** The position of a key in the body's text, without the quotes. Null if it occurs more than once. */
export function placeOfKey(text: string, key: string): { start: number; end: number } | null {
  const written = JSON.stringify(key);
  const places: number[] = [];
  for (let at = text.indexOf(written); at !== -1 && places.length < 2; at = text.indexOf(written, at + 1))
    if (/^\s*:/.test(text.slice(at + written.length, at + written.length + 100))) places.push(at);
  const [at] = places;
  return at === undefined || places.length > 1 ? null : { start: at + 1, end: at + written.length - 1 };
}

/** The body with a key of the object at `segments` renamed, in the same position. */
export function renamed(
  body: unknown,
  [first, ...rest]: UnknownKey["segments"],
  key: string,
  to: string,
): unknown {
  if (Array.isArray(body))
    return body.map((item, index) => (index === first ? renamed(item, rest, key, to) : item));
  if (!isObject(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      if (first === undefined) return [name === key ? to : name, value];
      return [name, name === first ? renamed(value, rest, key, to) : value];
    }),
  );
}
