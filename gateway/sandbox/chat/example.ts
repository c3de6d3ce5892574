import { evaluate } from "#contract/input-schema/evaluate.ts";
import { hasTwins, isRecord, type JsonRecord } from "#contract/input-schema/json-values.ts";
import { Refusal } from "#contract/input-schema/limits.ts";
import { linearPattern } from "#contract/input-schema/pattern.ts";
import { merged, Writer } from "#contract/input-schema/plain.ts";
import { recordOf } from "#gateway/models/providers/http/read-body.ts";
import { badInput } from "../failure.ts";

/** A text that a schema leaves free. */
const sandboxText = "Sandbox: no model ran";

/**
 * The work for one example, which takes about 50 ms at most: characters of the values that are tried, and for
 * each try a share that grows with the schema.
 */
const mostWork = 200_000;
const workPerTry = 40;
const schemaCharactersPerWork = 400;
/** Different values that a list or a choice may take from one schema. */
const mostVariants = 60;
/** Steps through a pattern in search of texts, and texts from one walk. */
const mostSteps = 2_000;
const mostMatches = 20;

/**
 * A value that fits a JSON Schema; a text that the schema leaves free is `words`. Throws `invalid_parameter`
 * with `param` for a schema that nothing fits, or that is too large or deep.
 */
export function exampleOf(schema: unknown, param: string, words = sandboxText): unknown {
  try {
    const written = new Writer(schema, prepared).write(schema, way);
    const value = first(new Search(written, words).values(written));
    if (value !== undefined) return value;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw badInput(`${param} has a schema without an example: ${error.place} ${error.reason}.`, param);
  }
  throw badInput(`${param} has a schema that no value of the sandbox fits. Loosen it.`, param);
}

const way = { place: "", depth: 0, references: [] };

/** Looks for values that fit, and stops when it has worked enough. */
class Search {
  readonly #words: string;
  readonly #workPerTry: number;
  #left = mostWork;

  constructor(schema: JsonRecord, words: string) {
    this.#words = words;
    this.#workPerTry = workPerTry + JSON.stringify(schema).length / schemaCharactersPerWork;
  }

  #spend(work: number): void {
    this.#left -= work;
    if (this.#left < 0) throw new Refusal("The schema", "asks for too much: nothing was found in time");
  }

  /** Values that fit a schema, the most natural first. */
  *values(schema: unknown): Generator<unknown> {
    if (schema !== undefined && !isRecord(schema)) return;
    let found = 0;
    for (const value of this.#proposed(schema ?? {})) {
      this.#spend(this.#workPerTry + (JSON.stringify(value)?.length ?? 0));
      if (evaluate(schema, value, matches).length > 0) continue;
      yield value;
      if (++found === mostVariants) return;
    }
  }

  *#proposed(schema: JsonRecord): Generator<unknown> {
    const { anyOf, oneOf, allOf, if: condition, then, else: otherwise, ...plain } = schema;
    for (const [key, branches] of Object.entries({ anyOf, oneOf })) {
      if (!Array.isArray(branches)) continue;
      const { [key]: _, ...rest } = schema;
      for (const branch of branches) yield* this.values(merged(rest, branch));
      return;
    }
    if (isRecord(condition)) {
      const { if: _, then: _then, else: _else, ...rest } = schema;
      yield* this.values(merged(merged(rest, condition), recordOf(then)));
      yield* this.values(merged(rest, recordOf(otherwise)));
      return;
    }
    if ("const" in plain) yield plain.const;
    else if (Array.isArray(plain.enum)) yield* plain.enum;
    else for (const type of typesOf(plain)) yield* this.#ofType(type, plain);
    for (const part of Array.isArray(allOf) ? allOf : []) yield* this.values(part);
  }

  *#ofType(type: unknown, schema: JsonRecord): Generator<unknown> {
    if (type === "string") yield* this.#texts(schema);
    else if (type === "array") yield* this.#lists(schema);
    else if (type === "object") yield* this.#objects(schema);
    else if (type === "boolean") yield* [true, false];
    else if (type === "null") yield null;
    else yield* numbers(schema);
  }

  *#texts({ pattern, minLength, maxLength }: JsonRecord): Generator<string> {
    const least = Number(minLength ?? 0);
    const most = Number(maxLength ?? Number.POSITIVE_INFINITY);
    this.#spend(least);
    if (typeof pattern === "string") {
      yield* textsOf(pattern, least, most, () => this.#spend(1));
      return;
    }
    for (const free of new Set([this.#words, sandboxText]))
      for (let at = 0; at < mostVariants; at += 1) {
        const end = at === 0 ? "" : ` ${at}`;
        const start = [...(free || sandboxText).padEnd(least - end.length, ` ${sandboxText}`)];
        yield start.slice(0, Math.max(0, Math.min(start.length, most - end.length))).join("") + end;
      }
  }

  *#lists(schema: JsonRecord): Generator<unknown[]> {
    const { items, prefixItems, contains, minItems = 0, maxItems, uniqueItems, minContains = 1 } = schema;
    const opening = Array.isArray(prefixItems) ? prefixItems : [];
    const needed = contains === undefined ? 0 : Number(minContains);
    const length = Math.max(Number(minItems), opening.length + needed, 1);
    const part = (at: number) => {
      if (at < opening.length) return opening[at];
      return at - opening.length < needed && isRecord(contains) && items !== false
        ? merged(contains, recordOf(items))
        : items;
    };
    const list: unknown[] = [];
    for (let at = 0; at < Math.min(length, Number(maxItems ?? length)); at += 1) {
      const isNew = (value: unknown) => uniqueItems !== true || !hasTwins([...list, value]);
      const same = at > opening.length + needed && uniqueItems !== true;
      const value = same ? list[at - 1] : first(this.values(part(at)), isNew);
      if (value === undefined) break;
      this.#spend(same ? JSON.stringify(value).length : 0);
      list.push(value);
    }
    yield list;
    if (list.length > Number(minItems)) yield list.slice(0, Number(minItems));
    for (const other of this.values(part(0))) yield [other, ...list.slice(1)];
  }

  *#objects(schema: JsonRecord): Generator<JsonRecord> {
    const { required, minProperties = 0, maxProperties, additionalProperties, propertyNames } = schema;
    const properties = new Map(Object.entries(recordOf(schema.properties)));
    const needed = new Set(Array.isArray(required) ? required.map(String) : []);
    for (const names of Object.values(recordOf(schema.dependentRequired)))
      for (const name of Array.isArray(names) ? names : []) needed.add(String(name));
    const made = new Map<string, unknown>();
    const make = (name: string): void => {
      const value = first(this.values(properties.get(name) ?? additionalProperties));
      if (value !== undefined) made.set(name, value);
    };
    for (const name of [...needed, ...properties.keys()]) if (!made.has(name)) make(name);
    const isMap = properties.size === 0 && isRecord(additionalProperties);
    const least = Math.max(Number(minProperties), isMap ? 1 : 0);
    if (made.size < least)
      for (const name of this.values(merged({ type: "string" }, recordOf(propertyNames)))) {
        if (!made.has(String(name))) make(String(name));
        if (made.size >= least) break;
      }
    const inOrder = [...properties.keys(), ...made.keys()].filter((name) => made.has(name));
    const only = (names: string[]) => Object.fromEntries(names.map((name) => [name, made.get(name)]));
    yield only(inOrder);
    const optional = inOrder.filter((name) => !needed.has(name));
    if (typeof maxProperties === "number" && made.size > maxProperties)
      yield only([...needed, ...optional.slice(0, Math.max(0, maxProperties - needed.size))]);
    for (const left of optional) yield only(inOrder.filter((name) => name !== left));
    yield only(inOrder.filter((name) => needed.has(name)));
    for (const name of made.keys())
      for (const value of this.values(properties.get(name) ?? additionalProperties))
        yield { ...only(inOrder), [name]: value };
  }
}

function first(values: Iterable<unknown>, fits: (value: unknown) => boolean = () => true): unknown {
  for (const value of values) if (fits(value)) return value;
  return undefined;
}

function matches(pattern: string, text: string): boolean {
  return linearPattern(pattern).test(text);
}

const anyType = ["string", "object", "array", "number", "boolean", "null"];
const typeOfKeyword: readonly [RegExp, string][] = [
  [/^(properties|required|additionalProperties|propertyNames|m..Properties|dependent.*)$/, "object"],
  [/^(items|prefixItems|contains|m..Items|uniqueItems)$/, "array"],
  [/^(m..imum|exclusiveM..imum|multipleOf)$/, "number"],
];

/** The types of a schema. One that names none has the type that its keywords are about first. */
function typesOf(schema: JsonRecord): unknown[] {
  if (schema.type !== undefined) return [schema.type].flat();
  const about = typeOfKeyword.filter(([keyword]) => Object.keys(schema).some((key) => keyword.test(key)));
  return [...new Set([...about.map(([, type]) => type), ...anyType])];
}

/** Numbers within the bounds, upwards from 1 or the smallest, or downwards from the largest. */
function* numbers({ type, multipleOf, ...bounds }: JsonRecord): Generator<number> {
  const whole = [type].flat().includes("integer");
  const given = Number(multipleOf ?? 1);
  const low = Math.max(Number(bounds.minimum ?? -Infinity), Number(bounds.exclusiveMinimum ?? -Infinity));
  const high = Math.min(Number(bounds.maximum ?? Infinity), Number(bounds.exclusiveMaximum ?? Infinity));
  const start = Math.min(Math.max(1, low), high);
  if (multipleOf === undefined && !whole)
    yield* high - low <= 1 ? [(low + high) / 2, low, high] : [start, start + 0.5];
  // Steps of a multiple may miss whole numbers: 0.5 takes two for one.
  for (const direction of start < high ? [1, -1] : [-1, 1])
    for (let at = 0, found = 0; at < mostVariants * 10 && found < mostVariants; at += 1) {
      const steps = direction > 0 ? Math.ceil(start / given) + at : Math.floor(start / given) - at;
      const value = Number((steps * given).toPrecision(15)) || 0;
      if (whole && !Number.isInteger(value)) continue;
      found += 1;
      yield value;
    }
}

/** Writes what `evaluate` does not check, formats and look-aheads, in words that it checks. */
function prepared(schema: JsonRecord): JsonRecord {
  return withTextsOfFormat(withoutLookAhead(schema));
}

const textsPerFormat = 12;

function withTextsOfFormat(schema: JsonRecord): JsonRecord {
  const { format, type = "string" } = schema;
  const text = typeof format === "string" ? formatTexts.get(format) : undefined;
  const isFixed = "enum" in schema || "const" in schema;
  if (!text || isFixed || ![type].flat().includes("string")) return schema;
  const texts = Array.from({ length: textsPerFormat }, (_, at) => text(at));
  return { ...schema, enum: [...texts, ...([type].flat().includes("null") ? [null] : [])] };
}

/**
 * Writes look-aheads at the start of a pattern (`^(?!\.)(?=.*@).+$`), as generators write them for addresses,
 * as patterns of their own, which run in linear time.
 */
function withoutLookAhead(schema: JsonRecord): JsonRecord {
  const { pattern } = schema;
  if (typeof pattern !== "string" || !/^\^\(\?[=!]/.test(pattern)) return schema;
  const parts: JsonRecord[] = [];
  let rest = pattern.slice(1);
  while (/^\(\?[=!]/.test(rest)) {
    const end = endOfGroup(rest);
    const inside = { pattern: `^(?:${rest.slice(3, end)})` };
    parts.push(rest[2] === "!" ? { not: inside } : inside);
    rest = rest.slice(end + 1);
  }
  // In `^(?!a)b|c` the look-ahead belongs to the first alternative only.
  if (endOfGroup(`(${rest}`, "|") <= rest.length) return schema;
  const all = Array.isArray(schema.allOf) ? schema.allOf : [];
  return { ...schema, pattern: `^${rest}`, allOf: [...all, ...parts] };
}

/** The place of the bracket that ends the group at the start, or of `earlier` directly in the group. */
function endOfGroup(text: string, earlier = ""): number {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/\\.|\[\^?(?:\\.|[^\]\\])*\]|[()|]/gs)) {
    if (token === "(") depth += 1;
    else if (token === ")" && --depth === 0) return index;
    else if (token === earlier && depth === 1) return index;
  }
  return text.length;
}

const twoDigits = (at: number) => String(at).padStart(2, "0");

/** A text of each format, numbered, so that lists can have different ones. */
const formatTexts = new Map(
  Object.entries<(at: number) => string>({
    "date-time": (at) => `2026-01-01T00:00:${twoDigits(at)}Z`,
    date: (at) => `2026-01-${twoDigits(at + 1)}`,
    time: (at) => `00:00:${twoDigits(at)}Z`,
    duration: (at) => `PT${at}S`,
    "email idn-email": (at) => `sandbox${at || ""}@example.com`,
    "hostname idn-hostname": (at) => `sandbox${at || ""}.example.com`,
    ipv4: (at) => `192.0.2.${at}`,
    ipv6: (at) => `2001:db8::${at + 1}`,
    uuid: (at) => `00000000-0000-4000-8000-0000000000${twoDigits(at)}`,
    "uri url uri-reference uri-template iri iri-reference": (at) => `https://example.com/sandbox${at || ""}`,
    "json-pointer": (at) => `/sandbox${at || ""}`,
    "relative-json-pointer": (at) => `${at}`,
    regex: (at) => `sandbox${at || ""}`,
  }).flatMap(([names, text]) => names.split(" ").map((name) => [name, text] as const)),
);

/** Characters that a text takes where its pattern leaves a choice, in the order of preference. */
const preferred = [..."aA0-_ .x1bB"].map((character) => character.codePointAt(0) ?? 0);

/** Texts that match a pattern: ways through the program that the engine compiled from it. */
function* textsOf(pattern: string, least: number, most: number, step: () => void): Generator<string> {
  const { inst, start } = linearPattern(pattern).re2().prog;
  for (const variant of preferred.slice(0, 4).keys()) {
    const seen = new Set<string>();
    const ways: { at: number; text: string }[] = [{ at: start, text: "" }];
    let found = 0;
    for (const { at, text } of ways) {
      step();
      if (seen.size > mostSteps || found > mostMatches) break;
      const key = `${at} ${text.length}`;
      if (seen.has(key) || text.length > most) continue;
      seen.add(key);
      const { op, out, arg, runes } = inst[at];
      if (op === operation.match && (text.length >= least || found === 0)) {
        found += 1;
        yield text.padEnd(least, "x");
      }
      if (op === operation.match) continue;
      if (op >= operation.rune) ways.push({ at: out, text: text + characterOf(runes, variant) });
      else if (op !== operation.fail) ways.push({ at: out, text });
      if (op === operation.alternative || op === operation.alternativeOrMatch) ways.push({ at: arg, text });
    }
  }
}

/** Instructions of the engine; those from `rune` on take a character. */
const operation = { alternative: 1, alternativeOrMatch: 2, fail: 5, match: 6, rune: 8 };

/** A character in one of the ranges; any character if there are none. */
function characterOf(runes: ArrayLike<number>, variant: number): string {
  const isIn = (code: number) =>
    runes.length === 1
      ? code === runes[0]
      : runes.length === 0 ||
        Array.from(runes).some((low, at) => at % 2 === 0 && code >= low && code <= (runes[at + 1] ?? low));
  const inOrder = [...preferred.slice(variant), ...preferred.slice(0, variant)];
  return String.fromCodePoint(inOrder.find(isIn) ?? runes[0] ?? 0);
}
