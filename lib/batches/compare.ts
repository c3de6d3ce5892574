import type { BatchRow } from "#contract/batches.ts";
import type { ApiType, CatalogModel, CatalogOperation } from "#contract/catalog.ts";
import { type BilledOperation, billedOf } from "../schema-form/estimate.ts";
import { isObject, type JsonObject } from "../schema-form/json.ts";
import { planForm } from "../schema-form/plan-form.ts";

/** A model that can run the same kind of input. */
export interface Comparable {
  model: string;
  /** The fields that its schema lists. */
  fields: string[];
  /** What it is billed by. */
  billed: BilledOperation;
}

/** More models would not fit side by side. */
export const mostComparedModels = 4;

/** The models of a kind, the asked one first; none that ask for a confirmation of each request. */
export function comparableModels(
  models: readonly CatalogModel[],
  apiType: ApiType,
  first: string,
): Comparable[] {
  const found = models
    .filter((model) => !model.safety_requirements.per_request_person_rights_confirmation_required)
    .flatMap((model) =>
      model.operations
        .filter((operation) => operation.api_type === apiType)
        .map((operation) => ({
          model: model.id,
          fields: fieldsOf(model, operation),
          billed: billedOf(operation),
        })),
    );
  return [...found.filter(({ model }) => model === first), ...found.filter(({ model }) => model !== first)];
}

/** Those that its schema lists, and those that its limits and example speak of. */
function fieldsOf(model: CatalogModel, operation: CatalogOperation): string[] {
  const { properties } = operation.input_schema;
  const listed = isObject(properties) ? Object.keys(properties) : [];
  return [...new Set([...listed, ...planForm(model, operation).fields.map(({ name }) => name)])];
}

/** Read by the gateway whether or not a schema lists it. */
const always = ["region"];

/** The row of a comparison for one model: the input without the fields that its schema lacks. */
export function rowFor(
  { model, fields }: Comparable,
  input: JsonObject,
): { row: JsonObject; lacks: string[] } {
  const known = new Set([...fields, ...always]);
  const lacks = Object.keys(input).filter((name) => !known.has(name));
  const kept = Object.entries(input).filter(([name]) => !lacks.includes(name));
  return { row: { ...Object.fromEntries(kept), model }, lacks };
}

/** The input that a comparison ran, put together from its rows: each has what its model knows. */
export function comparedInput(rows: readonly Pick<BatchRow, "input">[]): JsonObject | null {
  const inputs = rows.flatMap(({ input }) => input ?? []);
  return inputs.length === 0 ? null : Object.assign({}, ...inputs);
}
