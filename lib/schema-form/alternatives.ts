import type { JsonSchema } from "#contract/catalog.ts";
import { branchesOf, isObject, numberOf, stringsOf, typeOf } from "./json.ts";
import { type FormWords, wordsOfKey } from "./labels.ts";

/** One of the alternatives for a value's shape. */
export interface Alternative {
  title: string;
  schema: JsonSchema;
}

/** Keywords that describe the field as a whole. A shape uses its own keywords or none. */
const annotationKeys = new Set(["title", "description", "default", "examples", "example"]);

/**
 * The shapes that a value may have, from `oneOf`, `anyOf` or a list of types. Without `null`, if leaving the
 * key out means the same.
 */
export function alternativesOf(schema: JsonSchema, required: boolean, t: FormWords): Alternative[] {
  const shapes = shapesFor(schema, required);
  const titles = shapes.map((shape) => shapeTitle(shape, schema, t));
  return shapes.map((shape, at) => {
    const title = titles[at] ?? "";
    const twins = titles.filter((other) => other === title).length;
    const before = titles.slice(0, at).filter((other) => other === title).length;
    return { title: twins > 1 ? `${title} ${before + 1}` : title, schema: shape };
  });
}

/** If the schema has only one shape, the schema merged with that shape. */
export function oneShape(schema: JsonSchema, required: boolean): JsonSchema {
  const [only, ...more] = shapesFor(schema, required);
  if (!only || more.length > 0) return schema;
  const annotations = Object.entries(schema).filter(
    ([key]) => annotationKeys.has(key) || key.startsWith("x-"),
  );
  return { ...only, ...Object.fromEntries(annotations) };
}

function shapesFor(schema: JsonSchema, required: boolean): JsonSchema[] {
  return shapesOf(schema).filter((shape) => required || shape.type !== "null");
}

function shapesOf(schema: JsonSchema): JsonSchema[] {
  const branches = branchesOf(schema);
  if (branches.length === 0 || branches.every(onlyRestricts)) return typesOf(schema);
  const base = Object.fromEntries(
    Object.entries(schema).filter(([key]) => !unions.has(key) && !annotationKeys.has(key)),
  );
  return branches.map((branch) => within(base, branch));
}

/** A branch merged with the keywords beside the union, for display. Validation uses the schema itself. */
function within(base: JsonSchema, branch: JsonSchema): JsonSchema {
  const whole = { ...base, ...branch };
  if (isObject(base.properties) && isObject(branch.properties))
    whole.properties = { ...base.properties, ...branch.properties };
  const required = [...stringsOf(base.required), ...stringsOf(branch.required)];
  return required.length > 0 ? { ...whole, required } : whole;
}

const unions = new Set(["oneOf", "anyOf", "discriminator"]);

/** `anyOf: [{required: ["a"]}, {required: ["b"]}]` beside properties is a rule, not a choice of shapes. */
function onlyRestricts(branch: JsonSchema): boolean {
  return Object.keys(branch).every((key) => key === "required" || key === "not" || annotationKeys.has(key));
}

function typesOf(schema: JsonSchema): JsonSchema[] {
  const types = [schema.type].flat().filter((type) => typeof type === "string");
  const different = types.filter((type) => !(type === "integer" && types.includes("number")));
  if (different.length < 2 || Array.isArray(schema.enum) || "const" in schema) return [schema];
  return different.map((type) => ({ ...schema, type }));
}

/** Splits a generated schema name such as `ImageSize` into words. */
function spaced(title: string): string {
  const text = title.replaceAll(/([a-z])([A-Z])/g, "$1 $2");
  return text === title ? title : text.charAt(0) + text.slice(1).toLowerCase();
}

/** The label of a shape: its title, the constant that identifies it, or its type in words. */
function shapeTitle(shape: JsonSchema, union: JsonSchema, t: FormWords): string {
  if (shape.type === "null") return t("shape.null");
  if (typeof shape.title === "string" && shape.title && shape.title !== union.title)
    return spaced(shape.title);
  const tag = isObject(shape.properties)
    ? Object.values(shape.properties).map((part) => (isObject(part) ? onlyValue(part) : undefined))
    : [];
  const named = tag.find((value) => typeof value === "string");
  if (typeof named === "string") return wordsOfKey(named);
  if ("const" in shape) return String(shape.const);
  if (Array.isArray(shape.enum)) return t("shape.enum");
  const known = `shape.${typeOf(shape)}`;
  return t.has(known) ? t.text(known) : t("shape.other");
}

/** The only value that a schema allows. Undefined if it allows several. */
export function onlyValue(schema: JsonSchema): unknown {
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum) && schema.enum.length === 1) return schema.enum[0];
  const min = numberOf(schema.minimum);
  if (typeOf(schema) === "integer" && min !== null && min === numberOf(schema.maximum)) return min;
  return undefined;
}
