import type { ApiType, CatalogModel } from "#contract/catalog.ts";
import { operationPaths } from "#contract/catalog-constants.ts";
import { misspeltWords } from "#contract/checks/fault-words.ts";
import { type CompiledOperation, modelNotFound } from "#gateway/models/catalog/catalog.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import type { RunsContext } from "#gateway/runs/context.ts";

/**
 * The operation of `body.model` that an account requests. If `apiType` is null, the fields of the input show
 * which one is meant; if they fit none or several, throws a 400 that names the operations. Throws
 * `model_not_found` and `operation_not_supported`.
 */
export function findOperation(
  context: Pick<RunsContext, "catalog">,
  apiType: ApiType | null,
  body: Record<string, unknown>,
  caller: Pick<Actor, "accountId"> & Partial<Pick<Actor, "models">>,
): CompiledOperation {
  const { model: id } = body;
  const { accountId } = caller;
  // The fast path: most routes set the kind, and most requests name a model that has it.
  const named = apiType && typeof id === "string" ? context.catalog.operation(id, apiType, accountId) : null;
  if (named) return named;
  const model = findModel(context, id, caller);
  const wanted = apiType ?? apiTypeOf(model, body);
  const compiled = context.catalog.operation(model.id, wanted, accountId);
  if (compiled) return compiled;
  const routes = model.api_types.map((kind) => `${kind} (POST /v1${operationPaths[kind]})`).join(" and ");
  throw new ApiError(
    "operation_not_supported",
    `${model.id} does not support ${wanted}. It supports ${routes}.`,
    { param: "model" },
  );
}

function findModel(
  { catalog }: Pick<RunsContext, "catalog">,
  id: unknown,
  caller: Parameters<typeof findOperation>[3],
): CatalogModel {
  if (id === undefined) throw new ApiError("missing_parameter", "model is required", { param: "model" });
  if (typeof id !== "string") throw invalidParameter("model", "model must be a string");
  const model = catalog.model(id, caller.accountId);
  if (model) return model;
  throw modelNotFound(catalog, id, caller);
}

/**
 * The most specific operation whose required fields are all present: the one that requires more than the
 * others.
 */
function apiTypeOf(model: CatalogModel, body: Record<string, unknown>): ApiType {
  const operations = model.operations.map(({ api_type: apiType, input_schema: schema }) => ({
    apiType,
    required: schema.required as string[],
  }));
  const [only] = operations;
  if (only && operations.length === 1) return only.apiType;
  const fitting = operations.filter(({ required }) => required.every((name) => isPresent(body[name])));
  const best = fitting.find((candidate) =>
    fitting.every((other) => other === candidate || requiresMore(candidate.required, other.required)),
  );
  if (best) return best.apiType;
  // If every operation requires a missing field, name the field instead of asking for an operation.
  const missing = only?.required.find(
    (name) => !isPresent(body[name]) && operations.every(({ required }) => required.includes(name)),
  );
  if (missing !== undefined && operations.some(({ required }) => begins(required, body)))
    throw new ApiError(
      "missing_parameter",
      `${missing} is required${misspeltWords(missing, model.operations.flatMap(fieldsOf), body)}`,
      { param: missing },
    );
  const list = operations.map(({ apiType, required }) => {
    const fields = required.filter((name) => name !== "model").join(" and ");
    return `${apiType} (requires ${fields})`;
  });
  throw new ApiError(
    fitting.length === 0 ? "missing_parameter" : "invalid_parameter",
    `${model.id} supports ${list.join(" and ")}, and the input does not show which one you want. Complete it, or name one in the query: ?api_type=${operations.map(({ apiType }) => apiType).join(" or ?api_type=")}.`,
  );
}

function fieldsOf({ input_schema: { properties } }: CatalogModel["operations"][number]): string[] {
  return Object.keys(properties as object);
}

/** Whether the body has any field besides `model` that the operation requires. */
function begins(required: readonly string[], body: Record<string, unknown>): boolean {
  return required.some((name) => name !== "model" && isPresent(body[name]));
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function requiresMore(one: readonly string[], other: readonly string[]): boolean {
  return one.length > other.length && other.every((name) => one.includes(name));
}
