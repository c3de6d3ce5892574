/**
 * A lookup table for names from outside. It has only its own entries: an ordinary object would also find
 * `constructor`, `toString` and `__proto__`.
 */
export function byName<Value>(entries: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.assign(Object.create(null) as Record<string, Value>, entries);
}
