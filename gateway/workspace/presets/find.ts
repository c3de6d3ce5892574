import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, ne, sql } from "#gateway/platform/database/drizzle.ts";
import { presets } from "#gateway/platform/database/schema.ts";

export type PresetRow = typeof presets.$inferSelect;

/** The account's preset. Throws `preset_not_found`, for another account's id too. */
export async function findPreset(
  queries: Queries,
  accountId: string,
  id: string,
  options: { forUpdate?: boolean } = {},
): Promise<PresetRow> {
  const query = queries
    .select()
    .from(presets)
    .where(and(eq(presets.id, id), eq(presets.accountId, accountId)));
  const [row] = await (options.forUpdate ? query.for("update") : query);
  if (!row) throw new ApiError("preset_not_found", `There is no preset ${id}. It may have been deleted.`);
  return row;
}

/** Throws `preset_exists` when another preset of the operation has the name. Call it under `lockPresets`. */
export async function assertNameIsFree(
  queries: Queries,
  { id, accountId, model, apiType, name }: Pick<PresetRow, "id" | "accountId" | "model" | "apiType" | "name">,
): Promise<void> {
  const [other] = await queries
    .select({ id: presets.id })
    .from(presets)
    .where(
      and(
        eq(presets.accountId, accountId),
        eq(presets.model, model),
        eq(presets.apiType, apiType),
        eq(sql`lower(${presets.name})`, sql`lower(${name})`),
        ne(presets.id, id),
      ),
    );
  if (other)
    throw new ApiError(
      "preset_exists",
      `The preset ${other.id} has this name already. Choose another name, or replace its input.`,
      { param: "name" },
    );
}
