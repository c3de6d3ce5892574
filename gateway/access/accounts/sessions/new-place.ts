import type { SessionMethod } from "#contract/accounts/sessions.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { sessions } from "#gateway/platform/database/schema.ts";
import { addressBlock } from "#gateway/platform/network/address-rules.ts";
import { recordCause } from "#gateway/platform/outbox/record-cause.ts";

/** The sign-in methods of a person's first session, when no address is known yet. */
const firstSessions: readonly SessionMethod[] = ["invitation", "setup"];

/**
 * Records a sign-in from an address without a session of this person in the last month. Call it before
 * writing the new session.
 */
export async function recordNewPlace(
  queries: Queries,
  userId: string,
  method: SessionMethod,
  { ip, userAgent = null }: { ip: string | null; userAgent?: string | null },
): Promise<void> {
  if (firstSessions.includes(method) || ip === null) return;
  const before = await queries
    .selectDistinct({ ip: sessions.ip })
    .from(sessions)
    .where(eq(sessions.userId, userId));
  const place = addressBlock(ip);
  if (before.length === 0 || before.some(({ ip: known }) => known !== null && addressBlock(known) === place))
    return;
  await recordCause(queries, {
    cause: "sign_in.new_place",
    accountId: null,
    userId,
    subjectId: place,
    data: { ip, device: userAgent, method, at: clock.date().toISOString() },
  });
}
