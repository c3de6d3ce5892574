import { isDeepStrictEqual } from "node:util";
import type { FileChange } from "#contract/operator/file.ts";
import { isRecord } from "#gateway/models/providers/http/read-body.ts";

type FieldChange = FileChange["fields"][number];

/** The list is for people, so only the first differences are shown. */
const maxFields = 30;
const maxCharacters = 160;

/** The differences between two values, by the path of each field. */
export function differences(before: unknown, after: unknown): FieldChange[] {
  const found = [...differing(before, after, "")];
  if (found.length <= maxFields) return found;
  const rest = found.length - maxFields;
  return [...found.slice(0, maxFields), { name: `and ${rest} more`, from: null, to: null }];
}

function* differing(before: unknown, after: unknown, at: string): Generator<FieldChange> {
  if (isDeepStrictEqual(before, after)) return;
  if (!isRecord(before) || !isRecord(after)) {
    yield { name: at, from: textOf(before), to: textOf(after) };
    return;
  }
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before, after].map((side) => (Object.hasOwn(side, name) ? side[name] : undefined));
    yield* differing(was, is, at === "" ? name : `${at}.${name}`);
  }
}

function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const text = JSON.stringify(value);
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text;
}

/** Merges two objects; the second wins, and fields that it does not name are kept. */
export function merged<Value>(before: Value, after: Value): Value {
  if (!isRecord(before) || !isRecord(after)) return after;
  const both = new Map<string, unknown>(Object.entries(before));
  for (const [name, value] of Object.entries(after)) both.set(name, merged(both.get(name), value));
  return Object.fromEntries(both) as Value;
}
