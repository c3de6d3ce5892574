import { isRecord, type JsonRecord } from "./json-values.ts";
import { Refusal, schemaLimits } from "./limits.ts";
import { Writer } from "./plain.ts";

/**
 * A plain schema, or the reason why there is none. The reason completes a sentence that starts with the
 * place.
 */
export type CheckedSchema =
  | { ok: true; schema: JsonRecord; droppedDefaults: string[] }
  | { ok: false; place: string; reason: string };

/**
 * Checks the input schema of somebody else's model and rewrites it as a plain schema: an object at the top,
 * local references followed, `allOf` folded where possible, keywords of JSON Schema 2020-12 whatever draft or
 * OpenAPI version the original had, and no unknown keywords. Refuses schemas that are too large, deep or
 * cyclic, remote references, and patterns that cannot run in linear time. A default that its own schema
 * refuses is dropped and reported. The gateway and the form both validate by the plain schema only.
 * `document` is the target of `#/…` references: the OpenAPI document that contains the schema, or the schema
 * itself. The place is a JSON pointer into `schema`; behind a `$ref` it continues in the referenced schema.
 */
export function checkSchema(schema: unknown, document: unknown = schema): CheckedSchema {
  try {
    const writer = new Writer(document);
    const plain = writer.write(schema, { place: "", depth: 0, references: [] });
    const bytes = new TextEncoder().encode(JSON.stringify(plain)).length;
    if (bytes > schemaLimits.bytes)
      throw new Refusal("", `has ${bytes} bytes when written out; the maximum is ${schemaLimits.bytes}`);
    if (!isObjectSchema(plain)) throw new Refusal("", "must describe an object with properties");
    const { droppedDefaults } = writer;
    return { ok: true, schema: { properties: {}, required: [], ...plain, type: "object" }, droppedDefaults };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, place: error.place, reason: error.reason };
    throw error;
  }
}

function isObjectSchema({ type, properties }: JsonRecord): boolean {
  return type === undefined ? isRecord(properties) : [type].flat().includes("object");
}
