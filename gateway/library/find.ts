import { ApiError } from "#gateway/core/api-error.ts";
import type { Queries } from "#gateway/database/database.ts";
import { and, eq } from "#gateway/database/drizzle.ts";
import { outputs } from "#gateway/database/schema.ts";
import type { OutputRow } from "#gateway/provenance/output-row.ts";

/** The account's output, also one without a file. Throws `output_not_found`, for another account's id too. */
export async function findOutput(queries: Queries, accountId: string, id: string): Promise<OutputRow> {
  const [row] = await queries
    .select()
    .from(outputs)
    .where(and(eq(outputs.id, id), eq(outputs.accountId, accountId)));
  if (!row) throw outputNotFound(id);
  return row;
}

export function outputNotFound(id: string): ApiError {
  return new ApiError(
    "output_not_found",
    `There is no output ${id}. Its file may have been removed: GET /v1/outputs lists what is stored, with kept=true what is kept.`,
  );
}
