import type { Copy } from "#contract/copies.ts";
import { newId } from "#contract/ids.ts";
import { type Caller, recordAudit } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { assertMayLook } from "#gateway/models/catalog/clearance.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, notInArray, sql } from "#gateway/platform/database/drizzle.ts";
import { copies } from "#gateway/platform/database/schema.ts";
import { findOutput, outputFileRemoved } from "#gateway/runs/provenance/find-outputs.ts";
import { answeredBy } from "./destinations/choice.ts";
import { lockActive } from "./destinations/find.ts";
import { type CopyRow, copyView } from "./view.ts";

/**
 * Copies an output to a destination, again if it was copied there before; a copy that waits or runs already is returned as it is.
 * Throws `output_not_found`, `destination_not_found`, `destination_paused`, `payload_purged` and what the gates of the model ask.
 */
export async function requestCopy(
  context: Context,
  { actor, ip, requestId }: Caller,
  outputId: string,
  destinationId: string,
): Promise<Copy> {
  const { accountId } = actor;
  const output = await findOutput(context.database.queries, accountId, outputId);
  if (output.file === null) throw outputFileRemoved();
  await assertMayLook(context, actor, output.model);
  const row = await context.database.transaction(async (queries) => {
    await lockActive(queries, accountId, destinationId);
    const [asked] = await queries
      .insert(copies)
      .values({
        id: newId("copy"),
        accountId,
        destinationId,
        outputId,
        trigger: "manual",
        ...answeredBy(actor),
      })
      .onConflictDoUpdate({
        target: [copies.destinationId, copies.outputId],
        set: { ...askedAgain, trigger: "manual", ...answeredBy(actor) },
        setWhere: notInArray(copies.status, ["pending", "copying"]),
      })
      .returning();
    if (!asked) return underWay(queries, destinationId, outputId);
    await recordAudit(queries, {
      accountId,
      actor,
      action: "copy.requested",
      targetId: asked.id,
      detail: { output_id: outputId, destination_id: destinationId },
      ip,
      requestId,
    });
    return asked;
  });
  return copyView(row, output);
}

/** What a copy becomes when somebody asks for it again. */
export const askedAgain = {
  status: "pending",
  tries: 0,
  nextAttemptAt: sql`now()`,
  objectName: null,
  copiedAt: null,
} as const;

async function underWay(queries: Queries, destinationId: string, outputId: string): Promise<CopyRow> {
  const [row] = await queries
    .select()
    .from(copies)
    .where(and(eq(copies.destinationId, destinationId), eq(copies.outputId, outputId)));
  if (!row) throw new Error("The copy was neither written nor there");
  return row;
}
