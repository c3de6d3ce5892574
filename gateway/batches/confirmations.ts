import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import type { Queries } from "#gateway/database/database.ts";
import { and, eq } from "#gateway/database/drizzle.ts";
import { batchRows } from "#gateway/database/schema.ts";
import type { BatchRecord } from "./view.ts";

/**
 * The person who starts a comparison confirms its rows. Somebody else who lets waiting rows run later is responsible for them
 * and has to confirm again. Throws `person_rights_confirmation_required`.
 */
export async function assertConfirmed(
  { catalog }: Pick<Context, "catalog">,
  queries: Queries,
  { id, accountId, kind }: BatchRecord,
  isConfirmed = false,
): Promise<void> {
  if (kind !== "comparison" || isConfirmed) return;
  const waiting = await queries
    .select({ row: batchRows.row, model: batchRows.model })
    .from(batchRows)
    .where(and(eq(batchRows.batchId, id), eq(batchRows.status, "queued")));
  const asked = waiting.find(
    ({ model }) =>
      catalog.model(model, accountId)?.safety_requirements.per_request_person_rights_confirmation_required,
  );
  if (asked)
    throw new ApiError(
      "person_rights_confirmation_required",
      `Row ${asked.row} runs ${asked.model}. Confirm again that every identifiable person is you or has authorized it: person_rights_confirmed must be true.`,
      { param: "person_rights_confirmed" },
    );
}
