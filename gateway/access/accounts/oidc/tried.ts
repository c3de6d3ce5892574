import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { OidcConfig } from "#gateway/platform/core/oidc-config.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, isNotNull } from "#gateway/platform/database/drizzle.ts";
import { identities, members } from "#gateway/platform/database/schema.ts";

/**
 * Prevents locking an account whose owners cannot sign in with the provider. Throws
 * `provider_not_configured`, `provider_not_tried`.
 */
export async function assertProviderTried(
  queries: Queries,
  settings: OidcConfig | null,
  accountId: string,
): Promise<void> {
  if (!settings?.signIn)
    throw new ApiError(
      "provider_not_configured",
      "People cannot sign in with an identity provider here. An operator can set up one with OIDC_ISSUER and OIDC_SIGN_IN.",
    );
  const [owner] = await queries
    .select({ userId: members.userId })
    .from(members)
    .innerJoin(identities, eq(identities.userId, members.userId))
    .where(
      and(
        eq(members.accountId, accountId),
        eq(members.role, "owner"),
        eq(identities.issuer, settings.issuer),
        isNotNull(identities.lastSignedInAt),
      ),
    )
    .limit(1);
  if (!owner)
    throw new ApiError(
      "provider_not_tried",
      "An owner of this account must have signed in with the identity provider first.",
    );
}
