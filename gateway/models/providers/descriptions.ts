import type { InputModality, JsonSchema } from "#contract/catalog.ts";
import { checkSchema } from "#contract/input-schema/check-schema.ts";
import { isRecord } from "#contract/input-schema/json-values.ts";
import { invalidSchema, type MediaKind } from "#gateway/models/catalog/entry.ts";
import { type ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { numberOf, textOf } from "./http/read-body.ts";

/** A schema's field names in order, if the upstream lists them; otherwise undefined. */
type OrderOf = (schema: JsonSchema) => readonly unknown[] | undefined;

const unlisted: OrderOf = () => undefined;

/**
 * Converts a schema of an OpenAPI document for the catalog: plain, self-contained, with its fields in the
 * order of the upstream's form and media marked. The notes name dropped defaults. Throws `invalid_schema`.
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

/**
 * The schema of an upstream's output. Null instead of an error if it cannot be read, because it only helps to
 * guess the kind of model.
 */
export function outputSchema(
  document: Record<string, unknown>,
  schema: unknown,
  orderOf: OrderOf = unlisted,
): JsonSchema | null {
  const wrapped = checkSchema({ type: "object", properties: { output: schema } }, document);
  const output = wrapped.ok && isRecord(wrapped.schema.properties) ? wrapped.schema.properties.output : null;
  return isRecord(output) ? tidy(output, "", orderOf) : null;
}

/** An upstream's schema in plain form. Throws `invalid_schema` with the place and the reason. */
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

/**
 * Schema extensions that are kept, because the gateway and the form read them: media marks and the order of
 * fields.
 */
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

/** Adds the position in the form, if the upstream lists positions separately. */
function numbered(part: unknown, place: number | null): unknown {
  return isRecord(part) && place !== null ? { ...part, "x-order": place } : part;
}

function tidyPart(value: unknown, name: string, orderOf: OrderOf): unknown {
  return isRecord(value) ? tidy(value, name, orderOf) : value;
}

/** The property names in the upstream's order: from a list, or from a number in each property. */
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

/** Generators describe a nullable field as a choice between the field and null. */
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

/** Names of files that no operation of the gateway reads; they are passed upstream as text. */
const otherFiles = /weights|lora|zip|\btar\b|checkpoint|csv|json|text file|\bpdf\b|mesh|3d|webhook|callback/i;

/**
 * The media kind of a text field; null if it is plain text. Upstreams mark media by `format: uri`, or only by
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

/** An upstream's published description of a model, in one form for all protocols. */
export interface UpstreamModel {
  /** The name for calls, with the version if the upstream has versions. */
  name: string;
  description: string | null;
  /** An https URL. */
  coverUrl: string | null;
  /** The model's own input fields in the order of the upstream's form, with media marked. */
  input: JsonSchema;
  /** The output schema; null if it is not published. */
  output: JsonSchema | null;
  /** The upstream's own category, e.g. `image-to-video`. */
  category: string | null;
  /** An example run. */
  sample: { input: Record<string, unknown>; output: unknown } | null;
  notes: string[];
}

/** A model in an upstream's list: its name, and perhaps its inputs and token limits. */
export interface ListedModel {
  name: string;
  contextTokens: number | null;
  /** The maximum output length; null if unknown. */
  outputTokens: number | null;
  /** The kinds of input that the model reads; null if unknown. */
  reads: InputModality[] | null;
}

/** What a protocol's upstream publishes about a model: a full description, or only a list entry. */
export type ModelDescription = { model: UpstreamModel } | { listed: ListedModel };

/** Lets a protocol read the description of one model from a connection. */
export interface AskAboutModel {
  /** The base URL of the connection's region; null if it has no address. */
  base: URL | null;
  /**
   * The answer from the first of these paths that exists, below the base URL or `base`. Throws
   * `model_not_found`, or the error for the provider's refusal.
   */
  first(paths: readonly string[], base?: string): Promise<Record<string, unknown>>;
  /** The error if the upstream has no such model. */
  unknown(more?: string): ApiError;
}

/** The error for a name that no model of this protocol can have. */
export function badModelName(message: string): ApiError {
  return invalidParameter("import.name", message);
}

/** A number of tokens from a list; null if there is none. */
export function tokensOf(value: unknown): number | null {
  const tokens = numberOf(value);
  return tokens !== null && Number.isInteger(tokens) && tokens > 0 ? tokens : null;
}

/** The URL if it uses https, otherwise null: pages show no other pictures. */
export function httpsUrl(value: unknown): string | null {
  const url = URL.parse(textOf(value) ?? "");
  return url?.protocol === "https:" ? url.href : null;
}
