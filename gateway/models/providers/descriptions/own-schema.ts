import type { JsonSchema } from "#contract/catalog.ts";
import { checkSchema } from "#contract/input-schema/check-schema.ts";
import type { MediaKind } from "#gateway/models/catalog/entry.ts";
import { invalidSchema } from "#gateway/models/catalog/invalid-schema.ts";
import { isRecord, textOf } from "../http/read-body.ts";

/** The names of a schema's fields in order, where the upstream lists them; undefined where it does not. */
type OrderOf = (schema: JsonSchema) => readonly unknown[] | undefined;
const unlisted: OrderOf = () => undefined;

/**
 * A schema of an OpenAPI document as the catalog keeps it: plain, without the document, its fields in the order of the
 * upstream's form, media marked; the notes name the defaults that were dropped. Throws `invalid_schema`.
 */
export function ownSchema(
  document: Record<string, unknown>,
  schema: unknown,
  orderOf: OrderOf = unlisted,
): { input: JsonSchema; notes: string[] } {
  const { plain, droppedDefaults } = checkedSchema(schema, document);
  const fields = droppedDefaults.map((place) => place.replace(/^\/?(properties\/)?/, ""));
  const notes = fields.map(
    (field) =>
      `The provider's default of ${field || "the input"} is left out: its own schema does not allow it.`,
  );
  return { input: tidy(plain, "", orderOf), notes };
}

/** What an upstream answers with; null where its description cannot be read, since nothing but a guess depends on it. */
export function outputSchema(
  document: Record<string, unknown>,
  schema: unknown,
  orderOf: OrderOf = unlisted,
): JsonSchema | null {
  const wrapped = checkSchema({ type: "object", properties: { output: schema } }, document);
  const output = wrapped.ok && isRecord(wrapped.schema.properties) ? wrapped.schema.properties.output : null;
  return isRecord(output) ? tidy(output, "", orderOf) : null;
}

/** A schema that somebody else wrote, written out. Throws `invalid_schema` with the place and the reason. */
export function plainSchema(schema: unknown): JsonSchema {
  return checkedSchema(schema, schema).plain;
}

function checkedSchema(
  schema: unknown,
  document: unknown,
): { plain: JsonSchema; droppedDefaults: readonly string[] } {
  const checked = checkSchema(schema, document);
  if (checked.ok) return { plain: checked.schema, droppedDefaults: checked.droppedDefaults };
  throw invalidSchema(
    `The input schema cannot be used: ${checked.place || "it"} ${checked.reason}.`,
    "input_schema",
  );
}

/** What the gateway and the form read: which fields are media, and the order of fields. */
const keptExtensions = ["x-svc-media", "x-order"];

function tidy(schema: JsonSchema, name: string, orderOf: OrderOf): JsonSchema {
  const result: JsonSchema = {};
  for (const [keyword, value] of Object.entries(withoutNullBranch(schema))) {
    if (keyword.startsWith("x-") && !keptExtensions.includes(keyword)) continue;
    if (keyword === "properties" && isRecord(value))
      result.properties = Object.fromEntries(
        inOrder(orderOf(schema), value).map((field, index) => [
          field,
          numbered(tidyPart(value[field], field, orderOf), orderOf(schema) ? index : null),
        ]),
      );
    else if (["items", "additionalProperties", "contains"].includes(keyword))
      result[keyword] = tidyPart(value, name, orderOf);
    else if (["anyOf", "oneOf", "prefixItems"].includes(keyword) && Array.isArray(value))
      result[keyword] = value.map((part) => tidyPart(part, name, orderOf));
    else result[keyword] = value;
  }
  const kind = mediaKindOf(name, result);
  return kind === null ? result : { ...result, "x-svc-media": kind };
}

/** With its place in the form, where the upstream lists the places beside the fields. */
function numbered(part: unknown, place: number | null): unknown {
  return isRecord(part) && place !== null ? { ...part, "x-order": place } : part;
}

function tidyPart(value: unknown, name: string, orderOf: OrderOf): unknown {
  return isRecord(value) ? tidy(value, name, orderOf) : value;
}

/** The names of properties as the upstream orders them: in a list, or by a number in each. */
function inOrder(listed: ReturnType<OrderOf>, properties: Record<string, unknown>): string[] {
  const names = Object.keys(properties);
  const rank = (name: string): number => {
    if (listed) return listed.includes(name) ? listed.indexOf(name) : listed.length;
    const property = properties[name];
    const order = isRecord(property) ? property["x-order"] : undefined;
    return typeof order === "number" ? order : names.length;
  };
  return names.sort((one, other) => rank(one) - rank(other));
}

/** Generators write a field that may be null as a choice between it and null. */
function withoutNullBranch(schema: JsonSchema): JsonSchema {
  for (const keyword of ["anyOf", "oneOf"]) {
    const branches = schema[keyword];
    if (!Array.isArray(branches) || branches.length !== 2) continue;
    const [only, more] = branches.filter((branch) => branch.type !== "null");
    if (!isRecord(only) || more !== undefined || only.type === undefined) continue;
    const { [keyword]: _, ...around } = schema;
    const values = Array.isArray(only.enum) ? { enum: [...new Set([...only.enum, null])] } : {};
    return { ...only, ...around, ...values, type: [...new Set([only.type, "null"].flat())] };
  }
  return schema;
}

const words: [Exclude<MediaKind, "any">, RegExp][] = [
  ["video", /video|clip|movie/i],
  ["audio", /audio|speech|voice|sound|music|song|vocal/i],
  ["image", /image|img|photo|picture|mask|frame|face|portrait|garment|garm|sketch|logo/i],
];
/** Files that no model operation of the gateway reads: they go upstream as the text they are. */
const otherFiles = /weights|lora|zip|\btar\b|checkpoint|csv|json|text file|\bpdf\b|mesh|3d|webhook|callback/i;

/**
 * Whether a text field names a file, and of which kind; null if it is text. Upstreams say so by `format: uri`, or only by
 * a name such as `image_url`.
 */
function mediaKindOf(name: string, schema: JsonSchema): MediaKind | null {
  const isText = [schema.type].flat().every((type) => type === "string" || type === "null") && schema.type;
  if (!isText || schema.enum !== undefined || schema.const !== undefined) return null;
  const hasFormat = ["uri", "binary", "data-uri", "byte"].includes(String(schema.format));
  if (!hasFormat && !/(^|_)(url|urls|uri|uris)$/i.test(name)) return null;
  const label = `${name} ${textOf(schema.title) ?? ""}`;
  const description = textOf(schema.description) ?? "";
  if (otherFiles.test(label) || (!kindIn(label) && otherFiles.test(description))) return null;
  return kindIn(label) ?? kindIn(description) ?? (hasFormat ? "any" : null);
}

function kindIn(text: string): MediaKind | null {
  return words.find(([, pattern]) => pattern.test(text.replaceAll("_", " ")))?.[0] ?? null;
}
