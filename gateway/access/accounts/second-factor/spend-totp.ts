import type { Context } from "#gateway/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, lt } from "#gateway/platform/database/drizzle.ts";
import { totpSecrets } from "#gateway/platform/database/schema.ts";
import { stepOfCode } from "./totp.ts";
import { sealerOf } from "./totp-sealer.ts";

/** Whether this is a code of the person's app, which then cannot be used again. */
export async function spendTotpCode(
  { config }: Pick<Context, "config">,
  queries: Queries,
  userId: string,
  code: string,
): Promise<boolean> {
  const [row] = await queries.select().from(totpSecrets).where(secretOf(userId, true));
  if (!row) return false;
  const step = stepOfCode(sealerOf(config).open(row, userId), code, clock.now());
  if (step === null) return false;
  const spent = await queries
    .update(totpSecrets)
    .set({ lastStep: step, lastUsedAt: clock.date() })
    .where(and(secretOf(userId, true), lt(totpSecrets.lastStep, step)))
    .returning({ userId: totpSecrets.userId });
  return spent.length > 0;
}

/** SQL: the secret in use, or the one that is being set up. */
export function secretOf(userId: string, isConfirmed: boolean) {
  return and(eq(totpSecrets.userId, userId), eq(totpSecrets.isConfirmed, isConfirmed));
}
