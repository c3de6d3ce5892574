import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, inArray, sql } from "#gateway/platform/database/drizzle.ts";
import { attestations, identities, members, users } from "#gateway/platform/database/schema.ts";
import { forgetUser } from "../members/remove.ts";

const batchSize = 100;

/**
 * Ends memberships, owners' last, and deletes people who belong to no other account. Operators stay, and so
 * does the name of somebody whose attestation another account keeps.
 */
export async function eraseMembers(queries: Queries, accountId: string): Promise<Batch> {
  const batch = await queries
    .select({ userId: members.userId })
    .from(members)
    .where(eq(members.accountId, accountId))
    .orderBy(sql`${members.role} = 'owner'`, members.createdAt)
    .limit(batchSize)
    .for("update");
  const ids = batch.map(({ userId }) => userId);
  if (ids.length === 0) return { state: "done" };
  await queries.delete(members).where(and(eq(members.accountId, accountId), inArray(members.userId, ids)));
  const left = await queries
    .select({ id: users.id, hasAttested: hasAttested() })
    .from(users)
    .where(and(inArray(users.id, ids), eq(users.isOperator, false), belongsNowhere()));
  for (const { id, hasAttested: isKept } of left) {
    if (isKept) {
      await forgetUser(queries, id);
      await queries.delete(identities).where(eq(identities.userId, id));
    } else await queries.delete(users).where(eq(users.id, id));
  }
  return { state: "more" };
}

function belongsNowhere() {
  return sql`not exists (select from ${members} where ${members.userId} = ${users.id})`;
}

function hasAttested() {
  return sql<boolean>`exists (select from ${attestations} where ${attestations.userId} = ${users.id})`;
}

/** The result of a deletion step. */
export interface Batch {
  /** `waiting`: other sweeps or running work must finish before this step can. */
  state: "more" | "waiting" | "done";
  /** How many rows the step deleted, for steps whose rows count towards the progress. */
  erased?: number;
  /** Where the next batch starts. */
  cursor?: string;
}
