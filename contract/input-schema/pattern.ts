import { RE2JS } from "re2js";

const kept = new Map<string, RE2JS>();
/** Compiled patterns are kept, this many: a catalog has fewer. */
const maxKept = 500;

/**
 * A `pattern` of JSON Schema on an engine whose time grows with the text and never faster, whatever was written.
 * Throws for what such an engine cannot do (look-ahead, look-behind, back references) and for what is no pattern.
 */
export function linearPattern(source: string): { test(text: string): boolean } {
  const known = kept.get(source);
  if (known) return known;
  // The engine would read this back reference as a text.
  if (/(?:^|[^\\])(?:\\\\)*\\k</.test(source)) throw new Error("back references are not supported");
  const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
  const oldest = kept.size >= maxKept ? kept.keys().next() : null;
  if (oldest && !oldest.done) kept.delete(oldest.value);
  kept.set(source, compiled);
  return compiled;
}
