/**
 * A table that is looked up by words from outside. It has nothing but its own entries: in an ordinary object the words
 * `constructor`, `toString` and `__proto__` would find something, too.
 */
export function byName<Value>(entries: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.assign(Object.create(null) as Record<string, Value>, entries);
}
