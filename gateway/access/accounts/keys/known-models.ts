import { ApiError } from "#gateway/platform/core/api-error.ts";

/** Rejects models that do not exist: the key could not use them. Throws `invalid_parameter` with their names. */
export function assertModelsExist(
  catalog: { has(id: string, accountId: string): boolean },
  models: readonly string[] | null | undefined,
  accountId: string,
): void {
  const unknown = models?.filter((id) => !catalog.has(id, accountId)) ?? [];
  if (unknown.length === 0) return;
  throw new ApiError(
    "invalid_parameter",
    `There is no model ${unknown.join(", ")}. GET /v1/models lists them.`,
    { param: "models" },
  );
}
