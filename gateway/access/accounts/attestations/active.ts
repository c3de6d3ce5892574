import { type Permission, rolesWith } from "#contract/accounts/permissions.ts";
import type { AttestationKind } from "#contract/attestations.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, inArray, isNull } from "#gateway/platform/database/drizzle.ts";
import { attestations, members, users } from "#gateway/platform/database/schema.ts";

/** The user whose attestations a run needs: the member, or for a service key the user responsible. */
export interface Attester {
  accountId: string;
  userId: string | null;
  answeredBy: string | null;
}

/**
 * The attestations that let this caller's run pass the gates: made with the current text, not withdrawn, and
 * by somebody who is still a member with a role that may attest, or be responsible for a service key.
 */
export async function activeAttestations(queries: Queries, who: Attester): Promise<Set<AttestationKind>> {
  if (who.answeredBy === null) return new Set();
  const needed: Permission = who.userId === null ? "attestations:answer" : "attestations:make";
  const rows = await queries
    .select({ kind: attestations.kind, version: attestations.statementVersion })
    .from(attestations)
    .innerJoin(
      members,
      and(eq(members.accountId, attestations.accountId), eq(members.userId, attestations.userId)),
    )
    .where(
      and(
        eq(attestations.accountId, who.accountId),
        eq(attestations.userId, who.answeredBy),
        isNull(attestations.revokedAt),
        inArray(members.role, [...rolesWith(needed)]),
      ),
    );
  const current = rows.filter((row) => statements[row.kind as AttestationKind]?.version === row.version);
  return new Set(current.map((row) => row.kind as AttestationKind));
}

/** The name of the member who is currently responsible for a service key; null if nobody is. */
export async function answererName(
  queries: Queries,
  { accountId, answeredBy }: Attester,
): Promise<string | null> {
  const [found] = await queries
    .select({ name: users.name })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(
      and(
        eq(members.accountId, accountId),
        eq(members.userId, answeredBy ?? ""),
        inArray(members.role, [...rolesWith("attestations:answer")]),
      ),
    );
  return found?.name ?? null;
}

/**
 * A statement that users confirm. Changing its text needs a new version, which every user must confirm again.
 */
interface Statement {
  kind: AttestationKind;
  version: string;
  title: string;
  statement: string;
}

export const statements: Record<AttestationKind, Statement> = {
  adult: {
    kind: "adult",
    version: "2026-11-01",
    title: "You are an adult",
    statement:
      "I am at least 18 years old, or of legal age where I live if that is higher. I will use adult-gated operations " +
      "only for lawful purposes, will not create or attempt to create sexual content that involves minors, and will keep " +
      "what they produce away from minors.",
  },
  portrait_rights: {
    kind: "portrait_rights",
    version: "2026-11-01",
    title: "You hold the rights to the portraits that you use",
    statement:
      "For every identifiable person in the images, audio and video that I submit, I am that person or have that " +
      "person's explicit permission for this use, and I can prove it on request. I will not use these operations to " +
      "deceive, harass or defame anyone.",
  },
};
