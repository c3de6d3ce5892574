import type { Deleted } from "#contract/list.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { and, eq, isNull, or } from "#gateway/platform/database/drizzle.ts";
import { attestations } from "#gateway/platform/database/schema.ts";
import { recordCause } from "#gateway/platform/outbox/record-cause.ts";
import { type Caller, recordAudit } from "../audit.ts";

/** Withdraws the caller's attestation of a kind, or with an id; what runs by it is rejected from the next request on. Throws `attestation_not_found`. */
export async function withdrawAttestation(
  context: Context,
  caller: Caller,
  kindOrId: string,
): Promise<Deleted> {
  const { accountId, id: userId } = caller.actor;
  return context.database.transaction(async (queries) => {
    const [row] = await queries
      .update(attestations)
      .set({ revokedAt: clock.date() })
      .where(
        and(
          eq(attestations.accountId, accountId),
          eq(attestations.userId, userId),
          or(eq(attestations.kind, kindOrId), eq(attestations.id, kindOrId)),
          isNull(attestations.revokedAt),
        ),
      )
      .returning({ id: attestations.id, kind: attestations.kind });
    if (!row)
      throw new ApiError(
        "attestation_not_found",
        "There is no active attestation of this kind or id to withdraw.",
      );
    await recordAudit(queries, {
      accountId,
      actor: caller.actor,
      action: "attestation.withdrawn",
      targetId: row.id,
      detail: { kind: row.kind },
      ip: caller.ip,
      requestId: caller.requestId,
    });
    await recordCause(queries, {
      cause: "attestation.withdrawn",
      accountId,
      subjectId: row.id,
      data: { name: caller.actor.name, kind: row.kind },
    });
    return { id: row.id, object: "attestation", deleted: true };
  });
}
