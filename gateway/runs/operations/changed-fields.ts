import { isDeepStrictEqual } from "node:util";
import type { FieldChange } from "#contract/contents.ts";

type Fields = Record<string, unknown>;

/** Long values are in the content already, so a change only says that they are long. */
const maxValueLength = 1_000;
const longValue = `[longer than ${maxValueLength} characters]`;
const maxChanges = 100;

/** The fields of a body that an upstream got in another form than its caller sent them. */
export function changedFields(asked: Fields, sent: Fields): FieldChange[] {
  const changes: FieldChange[] = [];
  for (const field of new Set([...Object.keys(asked), ...Object.keys(sent)])) {
    const [before, after] = [given(asked, field), given(sent, field)];
    if (before === after || isDeepStrictEqual(before, after)) continue;
    changes.push({
      field,
      ...(before !== undefined && { asked: shown(before) }),
      ...(after !== undefined && { sent: shown(after) }),
    });
    if (changes.length === maxChanges) break;
  }
  return changes;
}

/** The value of a field; undefined if it is missing, or says the same as a missing one. */
function given(body: Fields, field: string): unknown {
  const value = Object.hasOwn(body, field) ? body[field] : undefined;
  return value === null || value === "" || (field === "stream" && value === false) ? undefined : value;
}

function shown(value: unknown): unknown {
  return isLong(value) ? longValue : value;
}

/** Stops reading where the value is too long. */
function isLong(value: unknown): boolean {
  const parts = [value];
  for (let left = maxValueLength; parts.length > 0; ) {
    const part = parts.pop();
    left -= typeof part === "string" ? part.length : 1;
    if (Array.isArray(part) && part.length > left) return true;
    const inner = typeof part === "object" && part !== null ? Object.entries(part).flat() : [];
    if (inner.length > left) return true;
    parts.push(...inner);
  }
  return false;
}
