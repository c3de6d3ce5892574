import { evaluate } from "./evaluate.ts";
import { isRecord, isSame, type JsonRecord } from "./json-values.ts";
import { modernised, plainKeywords, unsupported } from "./keywords.ts";
import { Refusal, schemaLimits } from "./limits.ts";
import { linearPattern } from "./pattern.ts";

/** The current position: the JSON pointer, the depth, and the references that led to it. */
interface Way {
  place: string;
  depth: number;
  references: readonly string[];
  /** Below `not`, `if` and `contains`, where a part that accepts less can make the whole accept more. */
  reversed?: boolean;
}

/** Keywords that only describe a value. When schemas are folded, those of the outer schema win. */
const words = new Set([
  "title",
  "description",
  "default",
  "example",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
]);

/**
 * Keywords that only have a meaning together. Two schemas fold only if one has none of such a group, or both
 * have the same values.
 */
const groups = [
  ["items", "prefixItems"],
  ["contains", "minContains", "maxContains"],
  ["if", "then", "else"],
  ["additionalProperties"],
  ["propertyNames"],
  ["dependentRequired"],
  ["dependentSchemas"],
  ["pattern"],
  ["format"],
  ["multipleOf"],
  ["anyOf", "discriminator"],
  ["oneOf", "discriminator"],
  ["not"],
];

const strictest: Record<string, (first: number, second: number) => number> = {
  minimum: Math.max,
  exclusiveMinimum: Math.max,
  minLength: Math.max,
  minItems: Math.max,
  minProperties: Math.max,
  maximum: Math.min,
  exclusiveMaximum: Math.min,
  maxLength: Math.min,
  maxItems: Math.min,
  maxProperties: Math.min,
};

/**
 * Writes a schema out: follows references, folds `allOf`, replaces keywords of older drafts, leaves out
 * unknown keywords. Counts while it writes, so that a few lines that expand to a million schemas stop at the
 * limit.
 */
export class Writer {
  readonly #document: unknown;
  readonly #prepare: ((schema: JsonRecord) => JsonRecord) | null;
  #schemas = 0;
  #enumValues = 0;
  #bytes = 0;
  readonly #droppedDefaults = new Set<string>();

  /**
   * With `prepare`, which changes each part before it is read, the schema is written for an example instead of
   * a form: a reference inside itself accepts nothing, because an example ends, and every required name stays.
   */
  constructor(document: unknown, prepare: ((schema: JsonRecord) => JsonRecord) | null = null) {
    this.#document = document;
    this.#prepare = prepare;
  }

  /**
   * The places of defaults that their own schema refuses. `null` is not reported, because generators write it
   * for "no default".
   */
  get droppedDefaults(): string[] {
    return [...this.#droppedDefaults];
  }

  write(given: unknown, around: Way): JsonRecord {
    const way = { ...around, depth: around.depth + 1 };
    if (given === true) return {};
    if (given === false) return { not: {} };
    if (!isRecord(given)) throw new Refusal(way.place, "must be a schema: an object, true or false");
    this.#count(way);
    const modern = modernised(given);
    const { $ref: reference, ...rest } = this.#prepare?.(modern) ?? modern;
    const own = this.#own(rest, way);
    const whole = reference === undefined ? own : merged(own, this.#referred(reference, at(way, "$ref")));
    const nullable = withNull(rest.nullable === true, whole);
    const written = this.#prepare ? nullable : withoutFilled(nullable);
    const fitting = withFittingDefault(written);
    if (fitting !== written && written.default !== null) this.#droppedDefaults.add(way.place);
    return fitting;
  }

  #count(way: Way): void {
    this.#schemas += 1;
    if (this.#schemas > schemaLimits.schemas)
      throw new Refusal(way.place, `brings the schema to more than ${schemaLimits.schemas} parts`);
    if (way.depth > schemaLimits.depth)
      throw new Refusal(way.place, `is nested more than ${schemaLimits.depth} levels deep`);
  }

  #referred(reference: unknown, way: Way): JsonRecord {
    const found = target(reference, this.#document, way.place);
    const name = String(reference);
    if (way.references.includes(name) && this.#prepare && !way.reversed) return { not: {} };
    if (way.references.includes(name))
      throw new Refusal(
        way.place,
        `refers to itself (\`${name}\`); a form for such a schema would be endless`,
      );
    return this.write(found, { ...way, references: [...way.references, name] });
  }

  /** The schema's other keywords, without `$ref`. */
  #own(schema: JsonRecord, way: Way): JsonRecord {
    const own: JsonRecord = {};
    for (const [key, value] of Object.entries(schema)) {
      const place = at(way, key).place;
      const why = unsupported[key];
      if (why && !(key === "unevaluatedItems" && value === true))
        throw new Refusal(place, `${why}, which is not supported`);
      if (key === "$id" && way.depth > 1)
        throw new Refusal(place, "gives a part of the schema an id, which is not supported");
      const read = Object.hasOwn(plainKeywords, key) ? plainKeywords[key] : undefined;
      const kept = key.startsWith("x-") ? value : read?.(value, place);
      if (kept === undefined) continue;
      own[key] = kept;
      this.#measure(kept, place);
      if (key === "enum" && Array.isArray(value)) this.#countValues(value, place);
    }
    this.#addParts(own, schema, way);
    return this.#folded(own, schema, way);
  }

  /** Counts parts that references repeat, too, before they are written out. */
  #measure(value: unknown, place: string): void {
    try {
      this.#bytes += JSON.stringify(value).length;
    } catch {
      throw new Refusal(place, "is nested too deep");
    }
    if (this.#bytes > schemaLimits.bytes)
      throw new Refusal(place, `brings the schema to more than ${schemaLimits.bytes} bytes`);
  }

  #countValues(values: unknown[], place: string): void {
    this.#enumValues += values.length;
    if (this.#enumValues > schemaLimits.enumValues)
      throw new Refusal(
        place,
        `brings the schema to more than ${schemaLimits.enumValues} values to choose from`,
      );
  }

  #addParts(own: JsonRecord, schema: JsonRecord, way: Way): void {
    for (const key of ["propertyNames", "then", "else"])
      if (schema[key] !== undefined) own[key] = this.write(schema[key], at(way, key));
    for (const key of ["contains", "not", "if"])
      if (schema[key] !== undefined) own[key] = this.write(schema[key], { ...at(way, key), reversed: true });
    for (const key of ["items", "additionalProperties"])
      if (schema[key] !== undefined)
        own[key] = schema[key] === false ? false : this.write(schema[key], at(way, key));
    for (const key of ["properties", "dependentSchemas"])
      if (schema[key] !== undefined) own[key] = this.#named(schema[key], at(way, key));
    for (const key of ["prefixItems", "anyOf", "oneOf"])
      if (schema[key] !== undefined) own[key] = this.#list(schema[key], at(way, key), schema);
    this.#addPatterns(own, schema, way);
  }

  #named(given: unknown, way: Way): JsonRecord {
    if (!isRecord(given)) throw new Refusal(way.place, "must be an object of schemas");
    const entries = Object.entries(given);
    if (entries.length > schemaLimits.properties)
      throw new Refusal(
        way.place,
        `has ${entries.length} properties; the maximum is ${schemaLimits.properties}`,
      );
    return Object.fromEntries(
      entries.map(([name, part]) => {
        const inside = at(way, name);
        if (name in Object.prototype)
          throw new Refusal(
            inside.place,
            "is a name with a special meaning in programs; rename the property",
          );
        return [name, this.write(part, inside)];
      }),
    );
  }

  #list(given: unknown, way: Way, around: JsonRecord): JsonRecord[] {
    if (!Array.isArray(given) || given.length === 0)
      throw new Refusal(way.place, "must be a list of at least one schema");
    return given.map((part, index) => tagged(this.write(part, at(way, String(index))), part, around));
  }

  /**
   * One pattern for all keys restricts the names of keys. A plain schema has no other use of
   * `patternProperties`.
   */
  #addPatterns(own: JsonRecord, schema: JsonRecord, way: Way): void {
    const all = isRecord(schema.patternProperties) ? Object.entries(schema.patternProperties) : [];
    const [only] = all;
    if (!only) return;
    const inside = at(way, "patternProperties");
    const alone = all.length === 1 && !schema.properties && !schema.propertyNames;
    if (!alone || (schema.additionalProperties !== false && only[0] !== ".*" && only[0] !== ""))
      throw new Refusal(
        inside.place,
        "is supported only as the one rule for all keys: one pattern, no `properties`, and `additionalProperties: false`",
      );
    const names = plainKeywords.pattern?.(only[0], inside.place);
    own.propertyNames = { pattern: names };
    own.additionalProperties = this.write(only[1], at(inside, only[0]));
  }

  #folded(own: JsonRecord, schema: JsonRecord, way: Way): JsonRecord {
    let whole = own;
    if (schema.allOf !== undefined)
      for (const part of this.#list(schema.allOf, at(way, "allOf"), {})) whole = merged(whole, part);
    if (schema.unevaluatedProperties === undefined || schema.unevaluatedProperties === true) return whole;
    const branches = ["allOf", "anyOf", "oneOf", "if", "dependentSchemas"].some((key) => key in whole);
    if (branches || "additionalProperties" in whole)
      throw new Refusal(
        at(way, "unevaluatedProperties").place,
        "is supported only in an object without alternatives",
      );
    return { ...whole, additionalProperties: this.#closing(schema.unevaluatedProperties, way) };
  }

  #closing(given: unknown, way: Way): unknown {
    return given === false ? false : this.write(given, at(way, "unevaluatedProperties"));
  }
}

/**
 * One schema that accepts exactly the values that both accept. Where one schema cannot express that, an
 * `allOf` of both.
 */
export function merged(outer: JsonRecord, inner: JsonRecord): JsonRecord {
  const one = inOne(outer, inner);
  if (one) return one;
  const said = Object.fromEntries(Object.entries(inner).filter(([key]) => isWord(key) && !(key in outer)));
  const rules = Object.fromEntries(Object.entries(inner).filter(([key]) => !isWord(key)));
  const all = Array.isArray(outer.allOf) ? outer.allOf : [];
  return { ...said, ...outer, allOf: [...all, rules] };
}

function isWord(key: string): boolean {
  return words.has(key) || key.startsWith("x-");
}

function inOne(outer: JsonRecord, inner: JsonRecord): JsonRecord | null {
  if (closes(outer, inner) || closes(inner, outer)) return null;
  for (const group of groups) {
    const [first, second] = [outer, inner].map((schema) => group.filter((key) => key in schema));
    if (!first?.length || !second?.length) continue;
    if (!group.every((key) => isSame(outer[key], inner[key]))) return null;
  }
  const both: JsonRecord = { ...inner, ...outer };
  for (const key of Object.keys(inner)) {
    if (!(key in outer) || isWord(key)) continue;
    const value = together(key, outer[key], inner[key]);
    if (value === undefined) return null;
    both[key] = value;
  }
  return both;
}

/**
 * Whether one schema refuses keys that only the other lists: `additionalProperties` ignores properties of
 * another schema.
 */
function closes(one: JsonRecord, other: JsonRecord): boolean {
  if (one.additionalProperties === undefined || isSame(one.additionalProperties, {})) return false;
  const known = isRecord(one.properties) ? one.properties : {};
  const named = isRecord(other.properties) ? Object.keys(other.properties) : [];
  return named.some((name) => !Object.hasOwn(known, name));
}

/** The folded value of a keyword that both schemas have. Undefined: the values cannot be folded. */
function together(key: string, outer: unknown, inner: unknown): unknown {
  if (isSame(outer, inner)) return outer;
  const strict = strictest[key];
  if (strict) return strict(Number(outer), Number(inner));
  switch (key) {
    case "type":
      return sharedTypes([outer].flat(), [inner].flat());
    case "enum": {
      const shared = (outer as unknown[]).filter((each) =>
        (inner as unknown[]).some((at) => isSame(at, each)),
      );
      return shared.length > 0 ? shared : undefined;
    }
    case "required":
      return [...new Set([...(outer as string[]), ...(inner as string[])])];
    case "uniqueItems":
      return true;
    case "allOf":
      return [...(outer as unknown[]), ...(inner as unknown[])];
    case "properties":
      return sharedProperties(outer as JsonRecord, inner as JsonRecord);
    default:
      return undefined;
  }
}

function sharedTypes(outer: unknown[], inner: unknown[]): unknown {
  const shared = outer.flatMap((type) => {
    if (inner.includes(type)) return [type];
    if (type === "integer" && inner.includes("number")) return [type];
    return type === "number" && inner.includes("integer") ? ["integer"] : [];
  });
  return shared.length > 1 ? [...new Set(shared)] : shared[0];
}

function sharedProperties(outer: JsonRecord, inner: JsonRecord): JsonRecord {
  const names = [...new Set([...Object.keys(inner), ...Object.keys(outer)])];
  return Object.fromEntries(
    names.map((name) => {
      const [first, second] = [outer, inner].map((all) => (Object.hasOwn(all, name) ? all[name] : undefined));
      return [name, isRecord(first) && isRecord(second) ? merged(first, second) : (first ?? second)];
    }),
  );
}

/** The part of a document that a `$ref` refers to. Only references inside the document are followed. */
function target(reference: unknown, document: unknown, place: string): unknown {
  if (typeof reference !== "string") throw new Refusal(place, "must be a string");
  if (reference !== "#" && !reference.startsWith("#/"))
    throw new Refusal(
      place,
      `refers to \`${shortened(reference)}\`; only references inside the document (\`#/…\`) are followed`,
    );
  let found: unknown = document;
  for (const segment of reference.split("/").slice(1)) {
    const key = decoded(segment);
    const inside = (isRecord(found) || Array.isArray(found)) && Object.hasOwn(found, key);
    if (!inside)
      throw new Refusal(place, `refers to \`${shortened(reference)}\`, which does not exist in the document`);
    found = (found as Record<string, unknown>)[key];
  }
  return found;
}

function decoded(segment: string): string {
  const text = segment.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function shortened(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

function at(way: Way, segment: string): Way {
  const place = `${way.place}/${segment.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  return { ...way, place };
}

/** OpenAPI 3.0's `nullable`. Generators also write it beside a reference or an `allOf`. */
function withNull(nullable: boolean, schema: JsonRecord): JsonRecord {
  if (!nullable || schema.type === undefined) return schema;
  const values =
    Array.isArray(schema.enum) && !schema.enum.includes(null) ? [...schema.enum, null] : schema.enum;
  return {
    ...schema,
    type: [...new Set([schema.type, "null"].flat())],
    ...(values !== undefined && { enum: values }),
  };
}

/**
 * Gives each branch of a union a constant, when OpenAPI's `discriminator.mapping` or the schema's name
 * selects the branch.
 */
function tagged(branch: JsonRecord, given: unknown, { discriminator }: JsonRecord): JsonRecord {
  if (!isRecord(discriminator) || typeof discriminator.propertyName !== "string") return branch;
  const { propertyName: name, mapping } = discriminator;
  const reference = isRecord(given) && typeof given.$ref === "string" ? given.$ref : null;
  const properties = isRecord(branch.properties) ? branch.properties : {};
  const tag = isRecord(properties[name]) ? properties[name] : {};
  if (reference === null || "const" in tag || "enum" in tag) return branch;
  const mapped = Object.entries(isRecord(mapping) ? mapping : {}).filter(([, to]) => to === reference);
  const values = mapped.length > 0 ? mapped.map(([value]) => value) : [reference.split("/").at(-1)];
  return { ...branch, properties: { ...properties, [name]: { ...tag, enum: values } } };
}

/**
 * Drops a default that its own schema refuses. Generators write `default: null` beside `type: string` when
 * there is no default.
 */
function withFittingDefault(schema: JsonRecord): JsonRecord {
  const { default: given, ...rest } = schema;
  if (given === undefined) return schema;
  const failures = evaluate(rest, given, (pattern, text) => linearPattern(pattern).test(text));
  return failures.length === 0 ? schema : rest;
}

/**
 * A field with a default is not required, even if a generator listed it as required. A constant stays
 * required because it selects a branch of a union.
 */
function withoutFilled(schema: JsonRecord): JsonRecord {
  const { required, properties, ...rest } = schema;
  if (!Array.isArray(required) || !isRecord(properties)) return schema;
  const hasDefault = (name: string) => {
    const part = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return isRecord(part) && "default" in part && !("const" in part);
  };
  const needed = required.filter((name) => !hasDefault(name));
  return { ...rest, properties, ...(needed.length > 0 && { required: needed }) };
}
