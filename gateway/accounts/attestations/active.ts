import { and, eq, isNull } from "drizzle-orm";
import type { AttestationKind } from "#contract/account.ts";
import type { Queries } from "#gateway/database/database.ts";
import { attestations } from "#gateway/database/schema.ts";
import { statements } from "./statements.ts";

/** The kinds that a user of the account has attested in their current wording and not withdrawn. */
export async function activeAttestations(queries: Queries, accountId: string): Promise<Set<AttestationKind>> {
  const rows = await queries
    .select({ kind: attestations.kind, version: attestations.statementVersion })
    .from(attestations)
    .where(and(eq(attestations.accountId, accountId), isNull(attestations.revokedAt)));
  const current = rows.filter((row) => statements[row.kind as AttestationKind]?.version === row.version);
  return new Set(current.map((row) => row.kind as AttestationKind));
}
