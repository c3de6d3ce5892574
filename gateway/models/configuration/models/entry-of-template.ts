import type { ApiType, JsonSchema, RegionName } from "#contract/catalog.ts";
import { regionField } from "#gateway/models/catalog/entries/pieces.ts";
import type { Entry, EntryOperation } from "#gateway/models/catalog/entry.ts";
import { recordOf } from "#gateway/models/providers/http/read-body.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";

interface Options {
  id: string;
  /** Null to use the template's regions. */
  regions: readonly RegionName[] | null;
  /** `2026-11-22` */
  today: string;
}

/**
 * Copies one operation of an entry into a new entry. Throws `model_not_found` or `operation_not_supported`.
 */
export function entryOfTemplate(
  entries: readonly Entry[],
  template: { model: string; api_type: ApiType },
  { id, regions, today }: Options,
): Entry {
  const model = entries.find((entry) => entry.id === template.model);
  if (!model)
    throw new ApiError(
      "model_not_found",
      `There is no model ${template.model} to copy. GET /v1/operator/models lists them.`,
      { param: "template.model" },
    );
  const operation = model.operations.find(({ api_type: kind }) => kind === template.api_type);
  if (!operation)
    throw new ApiError(
      "operation_not_supported",
      `${model.id} does not support ${template.api_type}. It supports ${model.operations.map(({ api_type: kind }) => kind).join(" and ")}.`,
      { param: "template.api_type" },
    );
  // The token limits depend on the upstream, so they are not copied from the template.
  const {
    operations: _,
    released_regions: __,
    context_window_tokens: ___,
    max_input_tokens: ____,
    max_output_tokens: _____,
    ...shared
  } = model;
  const copy = operation.api_type === "chat-completions" ? withoutTokenLimits(operation) : operation;
  return {
    ...shared,
    id,
    regions: regions ?? model.regions,
    released_at: today,
    latest_release_at: today,
    operations: [
      {
        ...copy,
        schema_version: 1,
        ...namedAs(id, regions ?? model.regions, copy),
      },
    ],
  };
}

function withoutTokenLimits(operation: EntryOperation): EntryOperation {
  const { input_schema: schema, limits } = operation;
  const properties = Object.entries(recordOf(schema.properties)).map(([name, field]) => {
    if (name !== "max_tokens") return [name, field];
    const { maximum: _, ...unlimited } = recordOf(field);
    return [name, unlimited];
  });
  return {
    ...operation,
    input_schema: { ...schema, properties: Object.fromEntries(properties) },
    limits: Object.fromEntries(Object.entries(limits).filter(([name]) => !name.endsWith("Tokens"))),
  };
}

/** Renames the model and its regions in an operation. */
export function namedAs(
  id: string,
  regions: readonly RegionName[],
  { input_schema: schema, example }: Pick<EntryOperation, "input_schema" | "example">,
): Pick<EntryOperation, "input_schema" | "example"> {
  const { model, region, ...properties } = recordOf(schema.properties) as Record<string, JsonSchema>;
  const required = Array.isArray(schema.required) ? schema.required.filter((name) => name !== "model") : [];
  const field = {
    title: "Model",
    description: "The identifier of this entry.",
    ...model,
    type: "string",
    const: id,
  };
  const withoutRegion = Object.fromEntries(
    Object.entries(example).filter(
      ([name, value]) => name !== "region" || regions.some((offered) => offered === value),
    ),
  );
  return {
    input_schema: {
      ...schema,
      type: "object",
      required: ["model", ...required.filter((name) => name !== "region")],
      properties: {
        model: field,
        ...properties,
        ...((region || regions.length > 1) && { region: regionField(regions) }),
      },
    },
    example: { ...withoutRegion, model: id },
  };
}
