import type { Queries } from "#gateway/platform/database/database.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { passkeys, recoveryCodes, tickets, totpSecrets } from "#gateway/platform/database/schema.ts";
import { recordAuditOfPerson } from "../audit.ts";
import { endSessionsOf } from "../sessions/end.ts";

/** Removes all second factors of somebody who lost them and ends their sessions; the answer is how many there were. */
export async function clearSecondFactor(queries: Queries, userId: string): Promise<number> {
  const keys = await queries.delete(passkeys).where(eq(passkeys.userId, userId)).returning();
  const totp = await queries.delete(totpSecrets).where(eq(totpSecrets.userId, userId)).returning();
  await queries.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await queries.delete(tickets).where(eq(tickets.userId, userId));
  const apps = totp.filter(({ isConfirmed }) => isConfirmed).length;
  const sessions = await endSessionsOf(queries, userId);
  await recordAuditOfPerson(queries, userId, {
    actor: null,
    action: "second_factor.cleared",
    targetId: userId,
    detail: { passkeys: keys.length, authenticator_apps: apps, sessions_ended: sessions },
  });
  return keys.length + apps;
}
