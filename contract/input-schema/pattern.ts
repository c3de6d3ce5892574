import { RE2JS } from "re2js";

const kept = new Map<string, RE2JS>();
/** Most compiled patterns kept in memory. A catalog has fewer. */
const maxKept = 500;

/**
 * Compiles a `pattern` of JSON Schema for an engine that runs in linear time, whatever the pattern. Throws
 * for a pattern that the engine does not support (look-ahead, look-behind, back references) and for an
 * invalid one.
 */
export function linearPattern(source: string): RE2JS {
  const known = kept.get(source);
  if (known) return known;
  // The engine would match this back reference as literal text.
  if (/(?:^|[^\\])(?:\\\\)*\\k</.test(source)) throw new Error("back references are not supported");
  const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
  const oldest = kept.size >= maxKept ? kept.keys().next() : null;
  if (oldest && !oldest.done) kept.delete(oldest.value);
  kept.set(source, compiled);
  return compiled;
}
