import { permissionsOfRole } from "#contract/accounts/permissions.ts";
import {
  type AttestationKind,
  type AttestationList,
  attestationKinds,
  type StandingAttestation,
} from "#contract/attestations.ts";
import type { PageQuery } from "#contract/list.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, asc, eq, isNull } from "#gateway/platform/database/drizzle.ts";
import { keyset, listOf } from "#gateway/platform/database/keyset.ts";
import { attestations, members, users } from "#gateway/platform/database/schema.ts";
import { withTotal } from "#gateway/platform/database/total.ts";
import { answeredKeys } from "../members/answered-keys.ts";
import { activeAttestations } from "./active.ts";
import { statements } from "./statements.ts";
import { attestationView } from "./view.ts";

/** The current statements, whether each lets the caller run, and the account's history, newest first. */
export async function listAttestations(
  context: Context,
  actor: Actor,
  query: PageQuery,
): Promise<AttestationList> {
  const { queries } = context.database;
  const page = keyset("attestation", attestations.id, query, [eq(attestations.accountId, actor.accountId)]);
  const rows = await queries
    .select({ attestation: attestations, userName: users.name })
    .from(attestations)
    .innerJoin(users, eq(users.id, attestations.userId))
    .where(page.where)
    .orderBy(page.order)
    .limit(page.limit);
  const active = await activeAttestations(queries, actor);
  return {
    ...(await withTotal(
      queries,
      page,
      listOf(page, rows, (row) => attestationView(row.attestation, row.userName)),
    )),
    standing: await standingAttestations(queries, actor.accountId),
    statements: attestationKinds.map((kind) => ({ ...statements[kind], active: active.has(kind) })),
  };
}

/** Who lets what run, and since when: the attestations that stand, each with the service keys that its member answers for. */
async function standingAttestations(queries: Queries, accountId: string): Promise<StandingAttestation[]> {
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
