import { byName } from "#contract/by-name.ts";
import type { JsonSchema, RegionName } from "#contract/catalog.ts";
import { isRecord } from "#contract/input-schema/json-values.ts";
import { inputSchema, regionField, ungated } from "#gateway/models/catalog/entries/pieces.ts";
import type { Entry } from "#gateway/models/catalog/entry.ts";
import { landscapeImage, landscapeVideo, speechAudio } from "#gateway/models/catalog/example-media.ts";
import type { UpstreamModel } from "#gateway/models/providers/descriptions.ts";
import { recordOf } from "#gateway/models/providers/http/read-body.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { type Choices, proposeOperation } from "./propose.ts";

export interface EntryPlan {
  entry: Entry;
  /** The provider that it was imported from, for its first route. */
  provider?: string;
  upstreamModel: string | null;
  rename: Record<string, string>;
  notes: string[];
}

interface Options extends Choices {
  id: string;
  regions: readonly RegionName[];
  /** `2026-11-22` */
  today: string;
}

/** The entry of an imported model, without gates, in the regions of its provider. Throws `invalid_schema`. */
export function entryOfImport(model: UpstreamModel, { id, regions, today, ...choices }: Options): EntryPlan {
  const { modality, operation, properties, required, sample, rename, notes } = proposeOperation(
    model,
    choices,
  );
  const fields = { ...properties, ...(regions.length > 1 && { region: regionField(regions) }) };
  return {
    entry: {
      id,
      modality,
      regions,
      released_at: today,
      latest_release_at: today,
      safety_requirements: ungated,
      ...(model.description !== null && { description: model.description.slice(0, longestDescription) }),
      ...(model.coverUrl !== null && { cover_url: model.coverUrl }),
      operations: [
        {
          ...operation,
          input_schema: inputSchema(id, required, fields),
          example: exampleOf(id, { properties, required }, sample),
        },
      ],
    },
    upstreamModel: model.name,
    rename,
    notes: [...notes, "No gate is set. Set them if it makes adult content or pictures of real people."],
  };
}

const longestDescription = 2_000;

const exampleMedia = byName<string>({
  image: landscapeImage,
  video: landscapeVideo,
  audio: speechAudio,
  any: landscapeImage,
});
const texts = byName<string>({
  prompt: "A lighthouse on a cliff at dawn, seen from the sea",
  input: "The lighthouse keeper climbs the stairs every evening.",
});
const longestText = 2_000;
/** A schema that requires more values than this gets no example; it would be unreadable. */
const maxValues = 1_000;

/**
 * An example that runs unchanged: the required fields, and the upstream's own example values for the others.
 */
function exampleOf(
  id: string,
  { properties, required }: { properties: Record<string, JsonSchema>; required: readonly string[] },
  sample: Record<string, unknown>,
): Record<string, unknown> {
  const example: Record<string, unknown> = { model: id };
  const budget = { left: maxValues };
  for (const [name, schema] of Object.entries(properties)) {
    const isText = name in texts && schema.type === "string";
    if (isPlain(schema) && isShort(sample[name])) example[name] = sample[name];
    else if (required.includes(name) || isText) example[name] = simplest(name, schema, { depth: 0, budget });
  }
  return example;
}

/** Example files are not copied, because their URLs may stop working. */
function isPlain(schema: JsonSchema): boolean {
  return (
    ["string", "integer", "number", "boolean"].includes(String(schema.type)) && !("x-svc-media" in schema)
  );
}

function isShort(value: unknown): boolean {
  return typeof value === "string"
    ? value !== "" && value.length <= longestText
    : ["number", "boolean"].includes(typeof value);
}

interface Place {
  depth: number;
  budget: { left: number };
}

/** The simplest valid value for a schema. Throws `invalid_schema` if it has too many parts. */
function simplest(name: string, schema: JsonSchema, place: Place): unknown {
  const { depth, budget } = place;
  budget.left -= 1;
  if (budget.left < 0)
    throw new ApiError(
      "invalid_schema",
      `The smallest input that fits this schema has more than ${maxValues.toLocaleString("en")} values, so the model cannot be imported.`,
    );
  const inside: Place = { depth: depth + 1, budget };
  const { "x-svc-media": media, default: byDefault, examples, enum: choices, const: only } = schema;
  if (typeof media === "string") return exampleMedia[media];
  if (only !== undefined) return only;
  if (byDefault !== undefined) return byDefault;
  if (Array.isArray(choices)) return choices[0];
  if (Array.isArray(examples) && examples.length > 0) return examples[0];
  const [branch] = [schema.anyOf, schema.oneOf].flat().filter(isRecord);
  if (branch) return simplest(name, branch, inside);
  switch ([schema.type].flat()[0]) {
    case "integer":
    case "number":
      return numberOf(schema);
    case "boolean":
      return false;
    case "array":
      return depth > 8
        ? []
        : Array.from({ length: countOf(schema) }, () => simplest(name, recordOf(schema.items), inside));
    case "object":
      return depth > 8 ? {} : objectOf(schema, inside);
    default:
      return textOf(name, schema);
  }
}

function countOf(schema: JsonSchema): number {
  return Math.min(Math.max(1, Number(schema.minItems) || 0), 20);
}

function objectOf(schema: JsonSchema, inside: Place): Record<string, unknown> {
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const properties = recordOf(schema.properties);
  return Object.fromEntries(
    required.map((name) => [name, simplest(name, recordOf(properties[name]), inside)]),
  );
}

function numberOf({ minimum, maximum, exclusiveMinimum }: JsonSchema): number {
  if (typeof minimum === "number") return minimum;
  if (typeof exclusiveMinimum === "number") return exclusiveMinimum + 1;
  return typeof maximum === "number" ? Math.min(1, maximum) : 1;
}

function textOf(name: string, { minLength, maxLength, format }: JsonSchema): string {
  if (format === "uri") return "https://example.com/";
  const text = texts[name] ?? texts.prompt ?? "";
  const longEnough = text.padEnd(typeof minLength === "number" ? Math.min(minLength, longestText) : 0, ".");
  return typeof maxLength === "number" ? longEnough.slice(0, maxLength) : longEnough;
}
