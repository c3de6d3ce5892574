import { writeFile } from "node:fs/promises";
import type { CatalogModel } from "#contract/catalog.ts";
import { apiTypes } from "#contract/catalog-constants.ts";
import { eventTypeTable } from "#contract/event-types.ts";
import { eventTypes } from "#contract/webhook-constants.ts";
import type { StandaloneCommand } from "./command.ts";
import { commentOf, keyOf, typeOfSchema, union } from "./type-of-schema.ts";
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
  throw new Error(`${where.url} answered no list of models. Does the address end in /v1?`);
}

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

function withoutModel(schema: CatalogModel["operations"][number]["input_schema"]): Record<string, unknown> {
  const {
    model: _model,
    region: _region,
    ...properties
  } = (schema.properties ?? {}) as Record<string, unknown>;
  return { ...schema, properties };
}
