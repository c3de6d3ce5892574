import type { Account, AccountUpdate } from "#contract/accounts/account.ts";
import type { Profile, ProfileUpdate } from "#contract/accounts/profile.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { accounts, users } from "#gateway/platform/database/schema.ts";
import { type Caller, recordAudit } from "./audit.ts";
import { forgetAllCredentials } from "./credentials.ts";
import { assertProviderTried } from "./oidc/tried.ts";
import { accountOf } from "./read-account.ts";
import { requireSecondFactor } from "./second-factor/require.ts";

/** The signed-in person. */
export async function readProfile(queries: Queries, { id }: Actor): Promise<Profile> {
  const [user] = await queries.select().from(users).where(eq(users.id, id));
  if (!user) throw new ApiError("invalid_api_key", "This user no longer exists.");
  return {
    id: user.id,
    object: "user",
    name: user.name,
    email: user.email,
    email_verified: user.emailVerifiedAt !== null,
    has_password: user.passwordHash !== null,
    operator: user.isOperator,
    created_at: user.createdAt.toISOString(),
  };
}

export async function updateProfile(
  { database, credentials }: Context,
  actor: Actor,
  { name }: ProfileUpdate,
): Promise<Profile> {
  await database.queries.update(users).set({ name: name.trim() }).where(eq(users.id, actor.id));
  credentials.forget(actor.id);
  return readProfile(database.queries, actor);
}

/**
 * Renames the account, changes how its members must sign in, names the metadata by which usage is summed, or allows sharing what gated
 * models made. Throws `provider_not_configured`, and
 * `provider_not_tried` before an owner has signed in with the provider.
 */
export async function updateAccount(
  { database, config, meter }: Context,
  { actor, ip, requestId }: Caller,
  input: AccountUpdate,
): Promise<Account> {
  const { accountId } = actor;
  const name = input.name?.trim();
  const { sign_in: signIn, second_factor_required: isRequired, usage_keys: usageKeys } = input;
  const { share_gated_outputs: shareGatedOutputs } = input;
  // What ran before is not summed by what is named now.
  if (usageKeys) await meter.flush();
  return database.transaction(async (queries) => {
    if (signIn === "provider") await assertProviderTried(queries, config.oidc, accountId);
    if (name || signIn || usageKeys || shareGatedOutputs !== undefined)
      await queries
        .update(accounts)
        .set({
          ...(name && { name }),
          ...(signIn && { signIn }),
          ...(usageKeys && { usageKeys }),
          ...(shareGatedOutputs !== undefined && { shareGatedOutputs }),
        })
        .where(eq(accounts.id, accountId));
    if (signIn) await forgetAllCredentials(queries);
    const from =
      isRequired === undefined
        ? undefined
        : await requireSecondFactor(queries, accountId, actor.id, isRequired);
    const action = "account.updated";
    await recordAudit(queries, {
      accountId,
      actor,
      action,
      targetId: accountId,
      detail: {
        ...(name && { name }),
        ...(signIn && { sign_in: signIn }),
        ...(usageKeys && { usage_keys: usageKeys }),
        ...(shareGatedOutputs !== undefined && { share_gated_outputs: shareGatedOutputs }),
        ...(from !== undefined && { second_factor_from: from?.toISOString() ?? null }),
      },
      ip,
      requestId,
    });
    return accountOf(queries, actor);
  });
}
