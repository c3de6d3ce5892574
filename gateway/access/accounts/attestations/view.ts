import type { Attestation, AttestationKind } from "#contract/attestations.ts";
import type { attestations } from "#gateway/platform/database/schema.ts";
import { statements } from "./statements.ts";

export function attestationView(row: typeof attestations.$inferSelect, userName: string): Attestation {
  const kind = row.kind as AttestationKind;
  const statement = statements[kind];
  return {
    id: row.id,
    object: "attestation",
    kind,
    statement_version: row.statementVersion,
    statement:
      statement.version === row.statementVersion
        ? statement.statement
        : "An earlier wording of this statement.",
    user_id: row.userId,
    user_name: userName,
    ip: row.ip,
    created_at: row.createdAt.toISOString(),
    revoked_at: row.revokedAt?.toISOString() ?? null,
  };
}
