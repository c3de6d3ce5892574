import { type ApiType, apiTypes, type CatalogModel } from "#contract/catalog.ts";
import { kindWordsOf } from "#gateway/models/catalog/catalog.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Caller } from "./caller.ts";

const usualCount = 10;
export const maxModels = 50;
const maxWords = 12;

export interface Search {
  query?: string;
  kind?: ApiType;
  limit?: number;
}

/** The models that the caller's key may use, best matches first. */
export function searchModels({ context, actor }: Caller, { query = "", kind, limit = usualCount }: Search) {
  const words = query.toLowerCase().split(/\s+/, maxWords).filter(Boolean);
  const found = context.catalog
    .list(kind ? { api_type: kind } : {}, actor.accountId)
    .data.filter(({ id }) => actor.models?.includes(id) ?? true)
    .map((model) => ({ model, fit: fitOf(model, words) }))
    .filter(({ fit }) => words.length === 0 || fit > 0)
    .sort((one, other) => other.fit - one.fit);
  return {
    models: found.slice(0, limit).map(({ model }) => ({
      id: model.id,
      ...(model.display_name && { name: model.display_name }),
      ...(model.description && { description: model.description }),
      kinds: model.api_types,
      person_needed: personNeeded(model),
    })),
    found: found.length,
    ...(found.length === 0 && { kinds: apiTypes, hint: "Search again with a kind, or with other words." }),
  };
}

/** How many of the words a model matches; a match in its names counts more than one in its description. */
function fitOf(model: CatalogModel, words: string[]): number {
  const names = `${model.id} ${model.display_name ?? ""}`.toLowerCase();
  const rest = `${kindWordsOf(model)} ${model.description ?? ""}`.toLowerCase();
  return words.reduce((sum, word) => sum + (names.includes(word) ? 2 : rest.includes(word) ? 1 : 0), 0);
}

/**
 * Everything that an agent needs to run a model: the fields of each operation, their limits, and an example.
 */
export function describeModel(caller: Caller, id: string, kind?: ApiType) {
  const model = modelOf(caller, id);
  const operations = model.operations.filter(({ api_type: own }) => kind === undefined || own === kind);
  if (operations.length === 0)
    throw new ApiError(
      "operation_not_supported",
      `${id} does not support ${kind}. It supports ${model.api_types.join(", ")}.`,
    );
  return {
    id,
    ...(model.display_name && { name: model.display_name }),
    ...(model.description && { description: model.description }),
    person_needed: personNeeded(model),
    operations: operations.map((one) => ({
      operation: one.api_type,
      answers: one.execution_mode === "async" ? "later, as a run to get" : "at once",
      unit: one.billing_unit,
      input_schema: one.input_schema,
      limits: one.limits,
      example_input: inputIn(one.example),
      served_by: [...new Set(one.deployments.map(({ svc_served_by: name }) => name))],
    })),
  };
}

/** The catalog entry with this name; for an alias, its first model. Throws `model_not_found`. */
function modelOf({ context, actor }: Caller, id: string): CatalogModel {
  const model = context.catalog.model(id, actor.accountId);
  if (model) return model;
  throw new ApiError("model_not_found", `There is no model ${id}. Find one with the tool "search_models".`, {
    param: "model",
  });
}

function inputIn({ model: _, ...input }: Record<string, unknown>) {
  return input;
}

type Need = "adult" | "portrait_rights" | "person_rights_each_time";

/** The confirmations that only a person can give and that the model requires. */
export function personNeeded({ safety_requirements: safety }: CatalogModel): Need[] {
  const needs: [boolean, Need][] = [
    [safety.adult_attestation_required, "adult"],
    [safety.portrait_rights_attestation_required, "portrait_rights"],
    [safety.per_request_person_rights_confirmation_required, "person_rights_each_time"],
  ];
  return needs.filter(([isNeeded]) => isNeeded).map(([, need]) => need);
}
