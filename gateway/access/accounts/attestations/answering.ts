import { rolesWith } from "#contract/accounts/permissions.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq } from "#gateway/platform/database/drizzle.ts";
import { members } from "#gateway/platform/database/schema.ts";
import { activeAttestations } from "./active.ts";

/**
 * Throws `invalid_parameter` for a user who cannot be responsible for a service key: one without the role, or
 * somebody other than the caller who has attested nothing.
 */
export async function assertMayAnswer(
  queries: Queries,
  { accountId, userId: callerId }: Actor,
  key: { userId: string | null },
  answeredBy: string,
): Promise<void> {
  if (key.userId !== null)
    throw new ApiError(
      "invalid_parameter",
      "A personal key uses its own member's attestations. Leave answered_by out.",
      {
        param: "answered_by",
      },
    );
  const [member] = await queries
    .select({ role: members.role })
    .from(members)
    .where(and(eq(members.accountId, accountId), eq(members.userId, answeredBy)));
  const roles = rolesWith("attestations:answer");
  if (!member || !roles.includes(member.role))
    throw new ApiError(
      "invalid_parameter",
      `Only a member with the role ${roles.join(" or ")} can be responsible for service keys.`,
      {
        param: "answered_by",
      },
    );
  if (answeredBy === callerId) return;
  const attested = await activeAttestations(queries, { accountId, userId: null, answeredBy });
  if (attested.size === 0)
    throw new ApiError(
      "invalid_parameter",
      "This member has no attestations, so the key could not run gated operations. Ask them to attest first.",
      { param: "answered_by" },
    );
}
