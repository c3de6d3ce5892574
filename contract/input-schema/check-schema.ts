import { isRecord, type JsonRecord } from "./json-values.ts";
import { schemaLimits } from "./limits.ts";
import { Writer } from "./plain.ts";
import { Refusal } from "./refusal.ts";

/** A plain schema, or why there is none: the reason as the end of a sentence whose subject is the place. */
export type CheckedSchema =
  | { ok: true; schema: JsonRecord; droppedDefaults: string[] }
  | { ok: false; place: string; reason: string };

/**
 * Checks the input schema of a model that somebody else wrote, and writes it out as a plain one: an object at the top,
 * local references followed, `allOf` folded where it can be, the words of JSON Schema 2020-12 whatever draft or OpenAPI
 * version it came in, no keyword that is not known. Refuses what is too large, deep or cyclic, remote references, and
 * patterns that cannot run in linear time; a default that its own schema refuses is dropped and named. Gateway and form judge values by the plain schema alone.
 *
 * `document` is what `#/…` refers to: the OpenAPI document that the schema was taken from, or the schema itself. The
 * place is a JSON pointer into `schema`; behind a `$ref` it continues in the referenced schema.
 */
export function checkSchema(schema: unknown, document: unknown = schema): CheckedSchema {
  try {
    const writer = new Writer(document);
    const plain = writer.write(schema, { place: "", depth: 0, references: [] });
    const bytes = new TextEncoder().encode(JSON.stringify(plain)).length;
    if (bytes > schemaLimits.bytes)
      throw new Refusal("", `has ${bytes} bytes when written out; at most ${schemaLimits.bytes} are taken`);
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
