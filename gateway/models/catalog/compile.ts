import type { ErrorObject } from "ajv";
import { Ajv2020, type Options } from "ajv/dist/2020.js";
import { byName } from "#contract/by-name.ts";
import type { JsonSchema } from "#contract/catalog.ts";
import {
  type BoundedValidator,
  boundedValidator,
  boundKeywords,
  maxDetails,
} from "#contract/checks/bounded-validation.ts";
import { messageOf } from "#contract/checks/fault-words.ts";
import type { ErrorDetail } from "#contract/error.ts";
import { multipleOfPrecision } from "#contract/input-schema/evaluate.ts";
import { formats } from "#contract/input-schema/formats.ts";
import { isRecord } from "#contract/input-schema/json-values.ts";
import { linearPattern } from "#contract/input-schema/pattern.ts";
import { inOwnTurn } from "#gateway/platform/core/event-loop.ts";
import { bracketOf } from "#gateway/platform/http/body-bounds.ts";
import type { CompiledOperation } from "./catalog.ts";
import type { EntryOperation, MediaKind } from "./entry.ts";

/** The gateway reads these fields from every body, even if the schema does not list them. */
const readByTheGateway = ["model", "region"];

/** Where chat messages contain pictures, for entries that accept pictures. */
const chatMedia = { "messages/*/content/*/image_url/url": "image" } as const;

const strict: Options = { useDefaults: true, discriminator: true, strictRequired: false };

/**
 * For imported plain schemas: accepts the same inputs as the console's form
 * (`contract/input-schema/evaluate.ts`). Fills in no defaults, because the upstream does.
 */
const generous: Options = {
  strict: false,
  logger: false,
  ownProperties: true,
  multipleOfPrecision,
  formats,
  code: { regExp: Object.assign(linearPattern, { code: "linearPattern" }) },
};

const own = pair(strict);

/** The parts of a compiled operation that do not depend on its entry. */
type Compiled = Omit<CompiledOperation, "model" | "operation" | "revision">;

const compiled = new WeakMap<EntryOperation, Compiled>();

/** Like `compile`, but compiles each operation only once. */
export function compileOnce(operation: EntryOperation): Compiled {
  const known = compiled.get(operation);
  if (known) return known;
  const fresh = compile(operation);
  compiled.set(operation, fresh);
  return fresh;
}

interface MediaPath {
  /** Property names from the root; `*` is every item of a list. */
  steps: string[];
  kind: MediaKind;
}

interface MediaValue {
  path: string;
  kind: MediaKind;
  value: string;
}

/** Compiles the published schema, and the schemas of parameters that are accepted but not listed. */
export function compile({ input_schema: schema, engine, internal = {} }: EntryOperation): Compiled {
  // Each Ajv pair keeps everything that it compiled, and operators' entries come and go, so each imported
  // schema gets a separate pair.
  const published = compileBounded(internal.imported ? pair(generous) : own, schema);
  const unlistedShapes = unpublished(schema, internal.accepts ?? {});
  const accepted = compileBounded(own, { type: "object", properties: unlistedShapes });
  const listed = schema.properties as Record<string, JsonSchema>;
  const shapes = byName({ ...unlistedShapes, ...listed });
  const known = new Set([...readByTheGateway, ...(schema.required as string[]), ...Object.keys(shapes)]);
  const media = mediaPaths(schema, engine === "chat" ? { ...internal.media, ...chatMedia } : internal.media);
  return {
    engine,
    validate(body) {
      if (internal.imported || engine === "chat") dropUnset(schema, body);
      const errors = published(body) ? [] : [...(published.errors ?? [])];
      return explain(accepted(body) ? errors : [...errors, ...(accepted.errors ?? [])]);
    },
    coerce: (body) => coerceTexts(shapes, body),
    lists: (name) => known.has(name),
    unlisted: (body) => Object.keys(body).filter((name) => !known.has(name)),
    mediaOf: (body) => mediaValues(media, body),
    ...(internal.output !== undefined && { outputField: internal.output }),
    regionBound: internal.regionBound ?? false,
  };
}

/**
 * Reads media paths from `x-svc-media` in the schema, and from the entry's own list if the schema is
 * incomplete.
 */
export function mediaPaths(schema: JsonSchema, internal: Record<string, MediaKind> = {}): MediaPath[] {
  const listed = Object.entries(internal).map(([path, kind]) => ({ steps: path.split("/"), kind }));
  return [...pathsIn(schema, []), ...listed];
}

function pathsIn(schema: JsonSchema, steps: string[]): MediaPath[] {
  const kind = schema["x-svc-media"];
  if (typeof kind === "string") return [{ steps, kind: kind as MediaKind }];
  const properties = isRecord(schema.properties) ? Object.entries(schema.properties) : [];
  const inProperties = properties.flatMap(([name, child]) =>
    isRecord(child) ? pathsIn(child, [...steps, name]) : [],
  );
  const inItems = isRecord(schema.items) ? pathsIn(schema.items, [...steps, "*"]) : [];
  return [...inProperties, ...inItems];
}

/** Every non-empty string of `body` at one of the paths, in the order of the body's lists. */
function mediaValues(paths: readonly MediaPath[], body: Record<string, unknown>): MediaValue[] {
  const found: MediaValue[] = [];
  for (const { steps, kind } of paths) collect(found, kind, steps, 0, body, null, "");
  return found;
}

/** Adds the media that the remaining steps of the path, from index `at`, find below `value`. */
function collect(
  found: MediaValue[],
  kind: MediaKind,
  steps: readonly string[],
  at: number,
  value: unknown,
  parent: unknown,
  path: string,
): void {
  const step = steps[at];
  if (step === undefined) {
    if (typeof value !== "string" || value === "") return;
    found.push({ path, kind: kind === "any" ? kindByType(parent) : kind, value });
  } else if (step === "*") {
    if (!Array.isArray(value)) return;
    for (const [index, item] of value.entries())
      collect(found, kind, steps, at + 1, item, value, `${path}/${index}`);
  } else if (isRecord(value) && value[step] !== undefined) {
    collect(found, kind, steps, at + 1, value[step], value, `${path}/${step}`);
  }
}

/** The `type` of a media item determines its kind: `reference_video`, `first_frame`, `image`… */
function kindByType(item: unknown): MediaKind {
  const type = isRecord(item) && typeof item.type === "string" ? item.type : "";
  if (/video|clip/.test(type)) return "video";
  if (/image|frame/.test(type)) return "image";
  return /audio|voice/.test(type) ? "audio" : "any";
}

/** Removes nulls: clients of OpenAI's API send null for unset fields, but few schemas allow null. */
function dropUnset({ required }: JsonSchema, body: Record<string, unknown>): void {
  for (const name of Object.keys(body))
    if (body[name] === null && !(required as string[]).includes(name)) delete body[name];
}

interface Pair {
  first: Ajv2020;
  all: Ajv2020;
}

function pair(options: Options): Pair {
  return { first: validator(options, false), all: validator(options, true) };
}

function validator(options: Options, allErrors: boolean): Ajv2020 {
  const ajv = new Ajv2020({ ...options, allErrors, verbose: true, allowUnionTypes: true });
  ajv.addVocabulary(["x-svc-media"]);
  return boundKeywords(ajv).addFormat("uri", true);
}

function compileBounded({ first, all }: Pair, schema: JsonSchema): BoundedValidator {
  // Compiled at once, so that a broken schema is found before its entry is offered.
  const compiledFirst = first.compile(schema);
  return boundedValidator(
    () => compiledFirst,
    () => all.compile(schema),
  );
}

function unpublished(schema: JsonSchema, accepts: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const listed = schema.properties as Record<string, JsonSchema>;
  return Object.fromEntries(Object.entries(accepts).filter(([name]) => !(name in listed)));
}

/** Ajv's errors in plain words: one line per field, and one line for a choice instead of one per branch. */
function explain(errors: readonly ErrorObject[]): ErrorDetail[] {
  if (errors.length === 0) return [];
  // A set, so that many list items that fail the same choice do not increase the time.
  const choices = new Set(
    errors
      .filter(({ keyword }) => keyword === "anyOf" || keyword === "oneOf")
      .map(({ schemaPath }) => `${schemaPath}/`),
  );
  const isInsideChoice = ({ schemaPath }: ErrorObject) =>
    [...choices].some((choice) => schemaPath.startsWith(choice));
  const details = new Map<string, ErrorDetail>();
  for (const error of errors) {
    const path = pathOf(error);
    if (details.has(path) || isInsideChoice(error)) continue;
    details.set(path, detailOf(error));
    if (details.size === maxDetails) break;
  }
  return [...details.values()];
}

function detailOf(error: ErrorObject): ErrorDetail {
  const { keyword } = error;
  return { path: pathOf(error), keyword, message: messageOf(error) };
}

function pathOf({ keyword, instancePath, params }: ErrorObject): string {
  if (keyword === "required") return `${instancePath}/${params.missingProperty}`;
  if (keyword === "additionalProperties") return `${instancePath}/${params.additionalProperty}`;
  return keyword === "discriminator" ? `${instancePath}/${params.tag}` : instancePath;
}

/**
 * Converts the text parts of a multipart body in place to the types of the schema: numbers, booleans, lists
 * (one text becomes a list of one) and objects written as JSON. Text that does not fit stays, so that
 * validation reports it.
 */
async function coerceTexts(
  properties: Record<string, JsonSchema>,
  body: Record<string, unknown>,
): Promise<void> {
  for (const [name, value] of Object.entries(body)) {
    const schema = properties[name];
    if (!schema) continue;
    const coerce = () => coerceValue(schema, value);
    body[name] = typeof value === "string" ? await inOwnTurn(value, coerce) : coerce();
  }
}

function coerceValue(schema: JsonSchema, value: unknown): unknown {
  const types = [schema.type].flat();
  if (Array.isArray(value)) {
    const items = schema.items as JsonSchema | undefined;
    return items ? value.map((item) => coerceValue(items, item)) : value;
  }
  if (typeof value !== "string" || types.includes("string")) return value;
  if (types.includes("integer") || types.includes("number")) return toNumber(value);
  if (types.includes("boolean")) return toBoolean(value);
  if (types.includes("array")) return toList(schema, value);
  return types.includes("object") ? (parsed(value) ?? value) : value;
}

/** Longest text that is read as a number, in characters. */
const longestNumber = 1_000;

function toNumber(text: string): unknown {
  if (text.length > longestNumber) return text;
  const number = Number(text);
  return text.trim() !== "" && Number.isFinite(number) ? number : text;
}

function toBoolean(text: string): unknown {
  if (text === "true" || text === "1") return true;
  return text === "false" || text === "0" ? false : text;
}

function toList(schema: JsonSchema, text: string): unknown {
  const list = bracketOf(text) === "[" ? parsed(text) : undefined;
  if (Array.isArray(list)) return list;
  const items = schema.items as JsonSchema | undefined;
  return [items ? coerceValue(items, text) : text];
}

function parsed(text: string): unknown {
  if (!bracketOf(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
