import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto";
import type { Session, SetupCreate } from "#contract/accounts/account.ts";
import type { BaseContext } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { deriveKeys, type MasterSecret } from "#gateway/platform/core/console-secret.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { accounts } from "#gateway/platform/database/schema.ts";
import { createAccount } from "./create-account.ts";
import { type Origin, openSession } from "./sessions/open.ts";

/** Serialises concurrent set-ups; the number is arbitrary. */
const setupLock = 7_238_001;
const purpose = "gatehouse setup token";

/**
 * Whether set-up is needed, because no account exists. The first one is created through the link in the
 * terminal.
 */
export async function setupNeeded(queries: Queries): Promise<boolean> {
  return (await queries.$count(accounts)) === 0;
}

/**
 * The token in the set-up link. It is derived from the master secret, so that it needs no storage and survives
 * restarts until the first account exists.
 */
export function setupToken(master: MasterSecret): string {
  const [current] = deriveKeys(master, purpose);
  return tokenOf(current);
}

function isSetupToken(master: MasterSecret, text: string): boolean {
  const given = Buffer.from(text);
  return deriveKeys(master, purpose).some((key) => {
    const expected = Buffer.from(tokenOf(key));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

function tokenOf(key: KeyObject): string {
  return createHmac("sha256", key).update("first account").digest("base64url").slice(0, 32);
}

/** Creates the first account and signs its owner in. Throws `setup_not_allowed`. */
export async function setUp(context: BaseContext, input: SetupCreate, origin: Origin): Promise<Session> {
  if (!isSetupToken(context.config, input.setup_token))
    throw new ApiError(
      "setup_not_allowed",
      "This set-up link is not valid. Use the link that the terminal printed at start.",
      { param: "setup_token" },
    );
  return context.database.transaction(async (queries) => {
    await queries.execute(`select pg_advisory_xact_lock(${setupLock})`);
    if (!(await setupNeeded(queries)))
      throw new ApiError("setup_not_allowed", "Gatehouse is already set up. Sign in instead.");
    const { userId } = await createAccount(queries, input);
    return openSession(queries, userId, "setup", origin);
  });
}

/** OWNER_EMAIL and OWNER_PASSWORD create the first account at the start, without the set-up page. */
export async function setUpFromSettings(context: BaseContext): Promise<void> {
  const { owner } = context.config;
  if (!owner) return;
  await context.database.transaction(async (queries) => {
    await queries.execute(`select pg_advisory_xact_lock(${setupLock})`);
    if (await setupNeeded(queries))
      await createAccount(queries, { ...owner, name: owner.email.split("@")[0] ?? owner.email });
  });
}
