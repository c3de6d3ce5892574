import { type Permission, rolesWith } from "#contract/accounts/permissions.ts";
import type { AttestationKind } from "#contract/attestations.ts";
import type { SafetyRequirements } from "#contract/catalog.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, inArray, isNull } from "#gateway/platform/database/drizzle.ts";
import { apiKeys, attestations, members, users } from "#gateway/platform/database/schema.ts";
import type { Language } from "#messages/languages.ts";

/** The user whose attestations a run needs: the member, or for a service key the user responsible. */
export interface Attester {
  accountId: string;
  userId: string | null;
  answeredBy: string | null;
}

/**
 * The three safety checks, in the order of the contract; most models need none. Throws the error of the first
 * failed check.
 */
export function enforceSafety(
  context: AccessContext,
  attester: Attester,
  requirements: SafetyRequirements,
  body: Record<string, unknown>,
): Promise<void> | undefined {
  const isGated =
    requirements.adult_attestation_required ||
    requirements.portrait_rights_attestation_required ||
    requirements.per_request_person_rights_confirmation_required;
  return isGated ? enforceGates(context, attester, requirements, body) : undefined;
}

async function enforceGates(
  context: AccessContext,
  attester: Attester,
  requirements: SafetyRequirements,
  body: Record<string, unknown>,
): Promise<void> {
  await enforceAttestations(context, attester, requirements);
  if (requirements.per_request_person_rights_confirmation_required && body.person_rights_confirmed !== true)
    throw new ApiError(
      "person_rights_confirmation_required",
      "Confirm for this request that every identifiable person is you or has authorized it: person_rights_confirmed must be true.",
      { param: "person_rights_confirmed" },
    );
}

/**
 * A statement that users confirm. Changing its text needs a new version, which every user must confirm again.
 */
interface Statement {
  kind: AttestationKind;
  version: string;
  title: string;
  statement: string;
  /** The same statement in other languages, of the same version. The English text is shown beside it. */
  translations: Partial<Record<Language, { title: string; statement: string }>>;
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
    translations: {
      "zh-CN": {
        title: "你是成年人",
        statement:
          "我已年满 18 周岁；如果我所在地的法定成年年龄更高，我已达到该年龄。我只会将需要成人声明的操作用于合法目的，" +
          "不会制作或试图制作涉及未成年人的色情内容，并会使所产生的内容远离未成年人。",
      },
    },
  },
  portrait_rights: {
    kind: "portrait_rights",
    version: "2026-11-01",
    title: "You hold the rights to the portraits that you use",
    statement:
      "For every identifiable person in the images, audio and video that I submit, I am that person or have that " +
      "person's explicit permission for this use, and I can prove it on request. I will not use these operations to " +
      "deceive, harass or defame anyone.",
    translations: {
      "zh-CN": {
        title: "你拥有所用肖像的权利",
        statement:
          "对于我提交的图片、音频和视频中每一位可辨认的人物，我就是其本人，或已获得其对此用途的明确许可，" +
          "并能在被要求时加以证明。我不会用这些操作欺骗、骚扰或诽谤任何人。",
      },
    },
  },
};

/**
 * Checks required attestations and fails closed: an attestation that cannot be read counts as missing.
 * Attestations are read from the database at every gated request, and again before an accepted run is sent to
 * its provider, so that a withdrawal takes effect at once.
 */
export async function enforceAttestations(
  context: AccessContext,
  attester: Attester,
  requirements: SafetyRequirements,
): Promise<void> {
  const needsAdult = requirements.adult_attestation_required;
  const needsPortrait = requirements.portrait_rights_attestation_required;
  if (!needsAdult && !needsPortrait) return;
  const active = await activeAttestations(context.database.queries, attester);
  if (needsAdult && !active.has("adult"))
    throw new ApiError(
      "adult_attestation_required",
      `${await whoMust(context, attester)} confirm in the console (Attestations) that they are an adult.`,
    );
  if (needsPortrait && !active.has("portrait_rights"))
    throw new ApiError(
      "portrait_rights_attestation_required",
      `${await whoMust(context, attester)} confirm portrait rights in the console (Attestations).`,
    );
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

/**
 * The user whose attestations an accepted run needs now: its member, or for a service key the user responsible.
 */
export async function attesterOf(
  { database }: AccessContext,
  { accountId, userId, keyId }: { accountId: string; userId: string | null; keyId: string | null },
): Promise<Attester> {
  if (userId !== null) return { accountId, userId, answeredBy: userId };
  const [key] = await database.queries
    .select({ userId: apiKeys.userId, answeredBy: apiKeys.answeredBy })
    .from(apiKeys)
    .where(eq(apiKeys.id, keyId ?? ""));
  return { accountId, userId: key?.userId ?? null, answeredBy: key?.userId ?? key?.answeredBy ?? null };
}

async function whoMust({ database }: AccessContext, who: Attester): Promise<string> {
  if (who.userId !== null) return "The member who sends the request must";
  const name = await answererName(database.queries, who);
  return name === null
    ? "Nobody is responsible for this service key. An owner or admin must take it over in the console (Team) and"
    : `${name}, who is responsible for this service key, must`;
}

/** The name of the member who is currently responsible for a service key; null if nobody is. */
async function answererName(queries: Queries, { accountId, answeredBy }: Attester): Promise<string | null> {
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
