import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { count } from "drizzle-orm";
import type { Session, SetupCreate } from "#contract/account.ts";
import type { Context } from "#gateway/context.ts";
import type { Queries } from "#gateway/database/database.ts";
import { accounts } from "#gateway/database/schema.ts";
import { ApiError } from "#gateway/http/api-error.ts";
import { createAccount } from "./create-account.ts";
import { openSession } from "./sign-in.ts";

/** Any fixed number: it serialises first set-ups that arrive at once. */
const setupLock = 7_238_001;

/** The first account is made through the link that the terminal prints; without accounts it is still needed. */
export async function setupNeeded(queries: Queries): Promise<boolean> {
  const [row] = await queries.select({ accounts: count() }).from(accounts);
  return (row?.accounts ?? 0) === 0;
}

/** Derived from the master secret, so it survives restarts until the first account exists, and needs no storage. */
export function setupToken(secret: string): string {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "gatehouse setup token", 32));
  return createHmac("sha256", key).update("first account").digest("base64url").slice(0, 32);
}

/** Makes the first account and signs its owner in. Throws `setup_not_allowed`. */
export async function setUp(
  context: Context,
  input: SetupCreate,
  origin: { ip: string | null; requestId: string | null },
): Promise<Session> {
  const expected = Buffer.from(setupToken(context.config.secret));
  const given = Buffer.from(input.setup_token);
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new ApiError(
      "setup_not_allowed",
      "This set-up link is not valid. Use the one that the terminal printed at start.",
      { param: "setup_token" },
    );
  return context.database.transaction(async (queries) => {
    await queries.execute(`select pg_advisory_xact_lock(${setupLock})`);
    if (!(await setupNeeded(queries)))
      throw new ApiError("setup_not_allowed", "Gatehouse is already set up. Sign in instead.");
    const { userId } = await createAccount(queries, input);
    return openSession(queries, userId, origin);
  });
}

/** OWNER_EMAIL and OWNER_PASSWORD make the first account at start, without the page. */
export async function setUpFromSettings(context: Context): Promise<void> {
  const { owner } = context.config;
  if (!owner) return;
  await context.database.transaction(async (queries) => {
    await queries.execute(`select pg_advisory_xact_lock(${setupLock})`);
    if (await setupNeeded(queries))
      await createAccount(queries, { ...owner, name: owner.email.split("@")[0] ?? owner.email });
  });
}
