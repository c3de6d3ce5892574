import { type PresetCreate, presetLimits } from "#contract/presets.ts";
import type { Context } from "#gateway/context.ts";
import type { CompiledOperation } from "#gateway/models/catalog/catalog.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { refuseUnstorable } from "#gateway/platform/http/body-bounds.ts";
import { findOperation } from "#gateway/runs/operations/find-operation.ts";

/** Asked of every run anew, so no preset has it. */
export const confirmation = "person_rights_confirmed";

/** The operation of a new preset. Throws as `findOperation`. */
export function operationOf(
  context: Context,
  { model, api_type }: PresetCreate,
  accountId: string,
): CompiledOperation {
  return findOperation(context, api_type, { model }, accountId);
}

/** Throws for what an input may not have; one that is not complete may be saved. */
export function checkInput(input: Record<string, unknown>): void {
  const refuse = (name: string, why: string) =>
    new ApiError("invalid_parameter", why, { param: `input.${name}` });
  if (confirmation in input)
    throw refuse(confirmation, `${confirmation} is given for each request and never saved. Leave it out.`);
  if ("model" in input) throw refuse("model", "Name the model beside the input, not in it.");
  refuseUnstorable(input);
  if (Buffer.byteLength(JSON.stringify(input)) > presetLimits.inputBytes)
    throw new ApiError(
      "input_too_large",
      `A saved input has at most ${presetLimits.inputBytes.toLocaleString("en")} bytes. Use uploads instead of inline files.`,
      { param: "input" },
    );
}

/** Presets of an account are made and renamed one after the other, so that names and number stay within the rules. */
export async function lockPresets(queries: Queries, accountId: string): Promise<void> {
  await queries.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`presets of ${accountId}`}, 0))`);
}
