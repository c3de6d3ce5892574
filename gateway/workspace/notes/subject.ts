import type { Context } from "#gateway/context.ts";
import { deliveryNotFound } from "#gateway/events/webhooks/deliveries/get.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, type SQL } from "#gateway/platform/database/drizzle.ts";
import { forgottenNote } from "#gateway/platform/database/history.ts";
import { notes, predictions, webhookDeliveryKeys } from "#gateway/platform/database/schema.ts";

/** What a note is about. */
export interface Subject {
  kind: "prediction" | "delivery";
  id: string;
}

/** The columns of a note that name its subject. */
export function subjectColumns({ kind, id }: Subject) {
  return kind === "prediction" ? { predictionId: id } : { deliveryId: id };
}

/** The notes on this subject of the account. */
export function aboutSubject(accountId: string, { kind, id }: Subject): SQL | undefined {
  const column = kind === "prediction" ? notes.predictionId : notes.deliveryId;
  return and(eq(notes.accountId, accountId), eq(column, id));
}

/** Throws `prediction_not_found` or `delivery_not_found`, for another account's too. */
export async function assertSubject(
  context: Context,
  queries: Queries,
  accountId: string,
  { kind, id }: Subject,
): Promise<void> {
  const table = kind === "prediction" ? predictions : webhookDeliveryKeys;
  const [found] = await queries
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.id, id), eq(table.accountId, accountId)))
    // It stays until the note is written.
    .for("key share");
  if (found) return;
  if (kind === "delivery") throw deliveryNotFound(context, id);
  const note = forgottenNote(context.history, "prediction", id);
  throw new ApiError("prediction_not_found", `There is no prediction ${id}.${note}`);
}
