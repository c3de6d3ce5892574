import { and, asc, eq, isNull } from "drizzle-orm";
import type { AttestationKind, StandingAttestation } from "#contract/attestations.ts";
import { permissionsOfRole } from "#contract/permissions.ts";
import type { Queries } from "#gateway/database/database.ts";
import { attestations, members, users } from "#gateway/database/schema.ts";
import { answeredKeys } from "../members/answered-keys.ts";
import { statements } from "./statements.ts";

/** Who lets what run, and since when: the attestations that stand, each with the service keys that its member answers for. */
export async function standingAttestations(
  queries: Queries,
  accountId: string,
): Promise<StandingAttestation[]> {
  const rows = await queries
    .select({ attestation: attestations, role: members.role, id: users.id, name: users.name })
    .from(attestations)
    .innerJoin(members, and(eq(members.accountId, accountId), eq(members.userId, attestations.userId)))
    .innerJoin(users, eq(users.id, attestations.userId))
    .where(and(eq(attestations.accountId, accountId), isNull(attestations.revokedAt)))
    .orderBy(asc(attestations.id));
  const keys = await answeredKeys(queries, accountId);
  return rows.flatMap(({ attestation, role, id, name }) => {
    const kind = attestation.kind as AttestationKind;
    if (statements[kind]?.version !== attestation.statementVersion) return [];
    const permitted = permissionsOfRole(role);
    return {
      kind,
      user: { id, name },
      role,
      since: attestation.createdAt.toISOString(),
      runs_own: permitted.has("attestations:make"),
      service_keys: permitted.has("attestations:answer") ? (keys.get(id) ?? []) : [],
    };
  });
}
