import type { ApiKey, ApiKeyWithSecret } from "#contract/accounts/keys.ts";
import { readUsedThisMonth } from "#gateway/billing/usage/used-this-month.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { apiKeys } from "#gateway/platform/database/schema.ts";
import { type Caller, recordAudit } from "../audit.ts";
import { credentialHash, keyHint, newAccountKey } from "./format.ts";
import { assertWithinGrant } from "./grant.ts";
import { assertMayManage } from "./made-keys.ts";
import { keyViews } from "./view.ts";
import { lockKey } from "./whose.ts";

/**
 * Gives a key a new secret; the old one stays valid for `graceSeconds`. Throws `key_not_found`, and as
 * `assertWithinGrant` and `assertMayManage`.
 */
export async function rotateKey(
  context: Context,
  caller: Caller,
  id: string,
  graceSeconds: number,
): Promise<ApiKeyWithSecret> {
  const { accountId } = caller.actor;
  const secret = newAccountKey();
  await context.meter.flush();
  const key = await context.database.transaction(async (queries) => {
    const old = await lockKey(queries, caller.actor, id);
    if (old.userId !== null && old.userId !== caller.actor.userId)
      throw new ApiError(
        "user_session_required",
        "Only its member can rotate a personal key, because they alone may know it. You can revoke it.",
      );
    assertWithinGrant(caller.actor, old, "stored");
    await assertMayManage(queries, context.config, caller.actor, old);
    const [row] = await queries
      .update(apiKeys)
      .set({
        hint: keyHint(secret),
        secretHash: credentialHash(secret),
        previousSecretHash: old.secretHash,
        previousExpiresAt: new Date(clock.now() + graceSeconds * 1000),
      })
      .where(eq(apiKeys.id, id))
      .returning();
    if (!row) throw new ApiError("key_not_found", "There is no such key.");
    await recordAudit(queries, {
      accountId,
      actor: caller.actor,
      action: "key.rotated",
      targetId: id,
      detail: { grace_seconds: graceSeconds },
      ip: caller.ip,
      requestId: caller.requestId,
    });
    // Read before the commit: an answer that fails after it would lose the new secret.
    const [view] = await keyViews(queries, [row], await readUsedThisMonth(queries, [row]));
    return view as ApiKey;
  });
  context.credentials.forget(id);
  return { ...key, secret };
}
