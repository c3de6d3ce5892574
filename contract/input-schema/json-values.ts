export type JsonRecord = Record<string, unknown>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether two JSON values are equal, ignoring the order of keys. */
export function isSame(first: unknown, second: unknown): boolean {
  if (first === second) return true;
  if (Array.isArray(first) && Array.isArray(second))
    return first.length === second.length && first.every((item, at) => isSame(item, second[at]));
  if (!isRecord(first) || !isRecord(second)) return false;
  const keys = Object.keys(first);
  return (
    keys.length === Object.keys(second).length &&
    keys.every((key) => Object.hasOwn(second, key) && isSame(first[key], second[key]))
  );
}

/** Whether any two of the values are equal, in time linear in their size. */
export function hasTwins(items: readonly unknown[]): boolean {
  return new Set(items.map(canonicalText)).size < items.length;
}

/** A text that is equal for equal JSON values, ignoring the order of keys. */
function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? "";
  const parts = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalText(value[key])}`);
  return `{${parts.join()}}`;
}
