import { eq } from "drizzle-orm";
import { type AttestationList, attestationKinds } from "#contract/attestations.ts";
import type { PageQuery } from "#contract/list.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/core/actor.ts";
import { keyset, listOf } from "#gateway/database/keyset.ts";
import { attestations, users } from "#gateway/database/schema.ts";
import { activeAttestations } from "./active.ts";
import { standingAttestations } from "./standing.ts";
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
    ...listOf(page, rows, (row) => attestationView(row.attestation, row.userName)),
    standing: await standingAttestations(queries, actor.accountId),
    statements: attestationKinds.map((kind) => ({ ...statements[kind], active: active.has(kind) })),
  };
}
