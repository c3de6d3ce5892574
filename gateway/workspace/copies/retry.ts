import type { CopiesRetried, Copy } from "#contract/copies.ts";
import { type Caller, recordAudit } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { hasFile } from "#gateway/files/storage/forget-outputs.ts";
import { assertMayLook } from "#gateway/models/catalog/clearance.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { and, eq, sql } from "#gateway/platform/database/drizzle.ts";
import { copies, outputs } from "#gateway/platform/database/schema.ts";
import { findOutput, outputFileRemoved } from "#gateway/runs/provenance/find-outputs.ts";
import { answeredBy } from "./destinations/choice.ts";
import { lockActive } from "./destinations/find.ts";
import { copyNotFound } from "./read.ts";
import { askedAgain } from "./request-copy.ts";
import { copyView } from "./view.ts";

/** How many copies one call retries. */
const retriedAtOnce = 1_000;

/**
 * Retries a failed copy; from then on who retries it has asked for it. Throws `copy_not_found`, `copy_not_retryable`,
 * `destination_paused`, `payload_purged` and what the gates of the model ask.
 */
export async function retryCopy(
  context: Context,
  { actor, ip, requestId }: Caller,
  id: string,
): Promise<Copy> {
  const { accountId } = actor;
  const { queries: reads } = context.database;
  const [copy] = await reads
    .select()
    .from(copies)
    .where(and(eq(copies.id, id), eq(copies.accountId, accountId)));
  if (!copy) throw copyNotFound(context, id);
  const output = await findOutput(reads, accountId, copy.outputId);
  await assertMayLook(context, actor, output.model);
  return context.database.transaction(async (queries) => {
    await lockActive(queries, accountId, copy.destinationId);
    if (output.file === null) throw outputFileRemoved();
    const [row] = await queries
      .update(copies)
      .set({ ...askedAgain, ...answeredBy(actor) })
      .where(and(eq(copies.id, id), eq(copies.status, "failed")))
      .returning();
    if (!row)
      throw new ApiError(
        "copy_not_retryable",
        `Only failed copies can be retried; this one is ${copy.status}. To copy the file again, use POST /outputs/{id}/copies.`,
      );
    await recordAudit(queries, {
      accountId,
      actor,
      action: "copy.retried",
      targetId: id,
      detail: { output_id: row.outputId, destination_id: row.destinationId },
      ip,
      requestId,
    });
    return copyView(row, output);
  });
}

/**
 * Retries what failed at a destination and whose file is still there. The gates are asked of the caller when each is copied, so
 * that one model does not hold up the others. Throws `destination_not_found`, `destination_paused`.
 */
export async function retryAll(
  { database }: Context,
  { actor, ip, requestId }: Caller,
  destinationId: string,
): Promise<CopiesRetried> {
  const { accountId } = actor;
  const retried = await database.transaction(async (queries) => {
    await lockActive(queries, accountId, destinationId);
    const { rowCount } = await queries
      .update(copies)
      .set({ ...askedAgain, ...answeredBy(actor) })
      .where(
        sql`${copies.id} = any (array(
          select c.id from ${copies} c
          where c.account_id = ${accountId} and c.destination_id = ${destinationId} and c.status = 'failed'
            and exists (select from ${outputs} where ${outputs.id} = c.output_id and ${hasFile})
          order by c.id limit ${retriedAtOnce} for update skip locked))`,
      );
    const count = rowCount ?? 0;
    if (count > 0)
      await recordAudit(queries, {
        accountId,
        actor,
        action: "copies.retried",
        targetId: destinationId,
        detail: { copies: count },
        ip,
        requestId,
      });
    return count;
  });
  return { object: "destination.retry", retried, has_more: retried === retriedAtOnce };
}
