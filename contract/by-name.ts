/**
 * A lookup table for names that callers send. It contains only the given entries, whereas a plain object
 * would also find `constructor`, `toString` and `__proto__`.
 */
export function byName<Value>(entries: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.assign(Object.create(null) as Record<string, Value>, entries);
}
