import type { JsonSchema } from "#contract/catalog.ts";
import type { Matches } from "#contract/input-schema/evaluate.ts";

let engine: typeof import("#contract/input-schema/pattern.ts") | null = null;

/** Until the engine is here, the gateway alone judges patterns. */
export const matches: Matches = (pattern, text) => engine?.linearPattern(pattern).test(text) ?? true;

/** Fetches the engine that the gateway runs patterns on too, for a schema that has some. */
export async function loadPatterns(schema: JsonSchema): Promise<void> {
  if (!engine && JSON.stringify(schema).includes('"pattern":'))
    engine = await import("#contract/input-schema/pattern.ts");
}
