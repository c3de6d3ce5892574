import { writeFile } from "node:fs/promises";
import type { CatalogModel } from "#contract/catalog.ts";
import { apiTypes } from "#contract/catalog-constants.ts";
import { eventTypeTable } from "#contract/event-types.ts";
import { isRecord } from "#contract/input-schema/json-values.ts";
import { eventTypes } from "#contract/webhook-constants.ts";
import type { StandaloneCommand } from "./command.ts";
import { askGateway, type Where, whereOf, whereOptions } from "./where.ts";

/**
 * `gatehouse types`: writes TypeScript types for the inputs of the operator's own models, for programs that
 * use `openai` and `replicate`.
 */
export const types: StandaloneCommand = {
  usage: `types [--out <file>] [--key <account key>] [--gateway <url>]

  --out <file>     where to write them (default: standard output)
  --key <key>      an account key, for the models that only your account has (default: GATEHOUSE_API_KEY)
  --gateway <url>  ends in /v1 (default: this machine's gateway)

The types are the ids of the models by kind, what each takes, and the events of webhooks. Write them again when the catalog has changed.`,
  options: { out: { type: "string" }, ...whereOptions },
  prepare(values) {
    const where = whereOf(values);
    const { out } = values;
    return async (signal) => {
      const models = await modelsAt(where, signal);
      const text = typesOf(models);
      if (typeof out !== "string") return void process.stdout.write(text);
      await writeFile(out, text);
      console.log(`Wrote the types of ${models.length} models to ${out}.`);
    };
  },
};

async function modelsAt(where: Where, signal: AbortSignal): Promise<CatalogModel[]> {
  const { data } = await askGateway(where, "/models", signal);
  if (Array.isArray(data)) return data as CatalogModel[];
  throw new Error(`${where.url} did not return a list of models. Does the address end in /v1?`);
}

const plainName = /^[A-Za-z_$][\w$]*$/;

const indent = "  ";

/** The types for a catalog. Equal catalogs give equal text. */
export function typesOf(models: readonly CatalogModel[]): string {
  const inOrder = models.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const kinds = apiTypes.map((apiType) => {
    const ids = inOrder
      .filter(({ api_types: own }) => own.includes(apiType))
      .map(({ id }) => JSON.stringify(id));
    return `  ${keyOf(apiType)}: ${union(ids)};`;
  });
  const inputs = inOrder.flatMap((model) => {
    const fields = model.operations.map(({ input_schema: schema }) => typeOfSchema(withoutModel(schema), 1));
    return [...commentOf(model.description, "  "), `  ${JSON.stringify(model.id)}: ${union(fields)};`];
  });
  const outputs = inOrder.map((model) => {
    const made = model.operations.map(
      ({ api_type: apiType, execution_mode: mode, output_schema: schema }) => {
        if (mode !== "async") return typeOfSchema(schema, 1);
        return apiType === "video-generation" ? "string" : "Array<string>";
      },
    );
    return `  ${JSON.stringify(model.id)}: ${union(made)};`;
  });
  return [
    "// Written by `gatehouse types`. Do not edit: write it again when the catalog has changed.",
    "",
    "/** The ids of the models, by kind. */",
    "export interface ModelsByKind {",
    ...kinds,
    "}",
    "",
    '/** The models that do something: `ModelOf<"chat-completions">`. */',
    "export type ModelOf<Kind extends keyof ModelsByKind> = ModelsByKind[Kind];",
    "",
    "/** What each model takes, without `model` and `region`. */",
    "export interface ModelInputs {",
    ...inputs,
    "}",
    "",
    "/** What each model answers: the `output` of a prediction, or the body of an answer. */",
    "export interface ModelOutputs {",
    ...outputs,
    "}",
    "",
    "export type ModelId = keyof ModelInputs;",
    "",
    "/** What webhooks send and `GET /events` tells, by type. */",
    "export interface WebhookEvents {",
    ...eventTypes.map(
      (type) => `  ${JSON.stringify(type)}: ${typeOfSchema(eventTypeTable[type].schema, 1)};`,
    ),
    "}",
    "",
    "/** Any of them: its `type` says which. */",
    "export type WebhookEvent = WebhookEvents[keyof WebhookEvents];",
    "",
  ].join("\n");
}

/**
 * Converts a JSON schema to a TypeScript type. Ranges, patterns and formats are dropped; what TypeScript
 * cannot express becomes `unknown`. Names and texts are written as JSON so that nothing in a schema can end a
 * string or a comment.
 */
function typeOfSchema(schema: unknown, depth = 0): string {
  if (!isRecord(schema)) return "unknown";
  if ("const" in schema) return literal(schema.const);
  if (Array.isArray(schema.enum)) return union(schema.enum.map(literal));
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(alternatives)) return union(alternatives.map((one) => typeOfSchema(one, depth)));
  if (Array.isArray(schema.type))
    return union(schema.type.map((type) => typeOfSchema({ ...schema, type }, depth)));
  switch (schema.type) {
    case "string":
      return "string";
    case "number":
    case "integer":
      return "number";
    case "boolean":
      return "boolean";
    case "null":
      return "null";
    case "array":
      return `Array<${typeOfSchema(schema.items, depth)}>`;
    case "object":
      return objectType(schema, depth);
    default:
      return isRecord(schema.properties) ? objectType(schema, depth) : "unknown";
  }
}

function objectType(schema: Record<string, unknown>, depth: number): string {
  const properties = isRecord(schema.properties) ? Object.entries(schema.properties) : [];
  const rest = isRecord(schema.additionalProperties)
    ? typeOfSchema(schema.additionalProperties, depth)
    : "unknown";
  if (properties.length === 0) return `Record<string, ${rest}>`;
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const inside = indent.repeat(depth + 1);
  const lines = properties.flatMap(([name, property]) => {
    const type = typeOfSchema(property, depth + 1);
    // A member with a default may be omitted.
    const optional = required.has(name) && !(isRecord(property) && "default" in property) ? "" : "?";
    return [...commentOf(property, inside), `${inside}${keyOf(name)}${optional}: ${type};`];
  });
  return ["{", ...lines, `${indent.repeat(depth)}}`].join("\n");
}

/** The name of a member, quoted if necessary. */
function keyOf(name: string): string {
  return plainName.test(name) ? name : JSON.stringify(name);
}

/** A member's description as a comment. */
function commentOf(property: unknown, inside: string): string[] {
  const description = isRecord(property) ? property.description : property;
  if (typeof description !== "string" || description.trim() === "") return [];
  const text = description.replaceAll("*/", "*\u200b/").replace(/\s+/g, " ").trim();
  return [`${inside}/** ${text} */`];
}

function literal(value: unknown): string {
  return value === null || ["string", "number", "boolean"].includes(typeof value)
    ? JSON.stringify(value)
    : "unknown";
}

/** A union without duplicates. */
function union(types: readonly string[]): string {
  const all = [...new Set(types)];
  return all.length === 0 ? "never" : all.join(" | ");
}

function withoutModel(schema: CatalogModel["operations"][number]["input_schema"]): Record<string, unknown> {
  const {
    model: _model,
    region: _region,
    ...properties
  } = (schema.properties ?? {}) as Record<string, unknown>;
  return { ...schema, properties };
}
