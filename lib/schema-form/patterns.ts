import type { JsonSchema } from "#contract/catalog.ts";
import type { Matches } from "#contract/input-schema/evaluate.ts";

let engine: typeof import("#contract/input-schema/pattern.ts") | null = null;

/** Until the engine has loaded, only the gateway checks patterns. */
export const matches: Matches = (pattern, text) => engine?.linearPattern(pattern).test(text) ?? true;

/** Loads the engine that the gateway also uses for patterns, if the schema has any. */
export async function loadPatterns(schema: JsonSchema): Promise<void> {
  if (!engine && JSON.stringify(schema).includes('"pattern":'))
    engine = await import("#contract/input-schema/pattern.ts");
}
