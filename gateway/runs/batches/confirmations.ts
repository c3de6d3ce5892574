import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, asc, eq } from "#gateway/platform/database/drizzle.ts";
import { batchRows } from "#gateway/platform/database/schema.ts";
import type { BatchRecord } from "./view.ts";

/**
 * The person who starts a batch confirms its rows. A person who later lets waiting rows run is responsible for them and has to
 * confirm again. Returns the numbers of the rows that this confirmation covers. Throws `person_rights_confirmation_required`,
 * which lists them.
 */
export async function assertConfirmed(
  { catalog }: Pick<Context, "catalog">,
  queries: Queries,
  { id, accountId }: BatchRecord,
  isConfirmed = false,
): Promise<number[]> {
  const waiting = await queries
    .select({ row: batchRows.row, model: batchRows.model })
    .from(batchRows)
    .where(and(eq(batchRows.batchId, id), eq(batchRows.status, "queued")))
    .orderBy(asc(batchRows.row));
  const covered = waiting.filter(
    ({ model }) =>
      catalog.model(model, accountId)?.safety_requirements.per_request_person_rights_confirmation_required,
  );
  if (covered.length === 0 || isConfirmed) return covered.map(({ row }) => row);
  const param = "person_rights_confirmed";
  const details = covered.map(({ row, model }) => ({
    path: `/${param}`,
    keyword: "row",
    message: `Row ${row} runs ${model}.`,
  }));
  throw new ApiError(
    "person_rights_confirmation_required",
    `Confirm again that every identifiable person in ${covered.length === 1 ? "this row" : "these rows"} is you or has authorized it: ${param} must be true. ${details.map(({ message }) => message).join(" ")}`,
    { param, details },
  );
}
