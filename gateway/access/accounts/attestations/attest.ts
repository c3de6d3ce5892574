import type { Attestation, AttestationCreate } from "#contract/attestations.ts";
import { newId } from "#contract/ids.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { and, eq, isNull } from "#gateway/platform/database/drizzle.ts";
import { attestations } from "#gateway/platform/database/schema.ts";
import { type Caller, recordAudit } from "../audit.ts";
import { statements } from "./statements.ts";
import { attestationView } from "./view.ts";

/**
 * Records that the signed-in user confirms a statement. Only a user session may call it (specification,
 * "Authentication" 2); attesting again replaces the former record. Throws `invalid_parameter` for an outdated text.
 */
export async function attest(
  context: Context,
  caller: Caller,
  input: AttestationCreate,
): Promise<Attestation> {
  const { accountId, id: userId, name } = caller.actor;
  const statement = statements[input.kind];
  if (input.statement_version !== statement.version)
    throw new ApiError(
      "invalid_parameter",
      "The statement has changed. Read the current text and confirm that one.",
      {
        param: "statement_version",
      },
    );
  return context.database.transaction(async (queries) => {
    await queries
      .update(attestations)
      .set({ revokedAt: clock.date() })
      .where(
        and(
          eq(attestations.accountId, accountId),
          eq(attestations.userId, userId),
          eq(attestations.kind, input.kind),
          isNull(attestations.revokedAt),
        ),
      );
    const [row] = await queries
      .insert(attestations)
      .values({
        id: newId("attestation"),
        accountId,
        userId,
        kind: input.kind,
        statementVersion: statement.version,
        ip: caller.ip,
      })
      .returning();
    if (!row) throw new ApiError("internal_error", "The attestation was not saved.");
    await recordAudit(queries, {
      accountId,
      actor: caller.actor,
      action: "attestation.created",
      targetId: row.id,
      detail: { kind: input.kind, statement_version: statement.version },
      ip: caller.ip,
      requestId: caller.requestId,
    });
    return attestationView(row, name);
  });
}
