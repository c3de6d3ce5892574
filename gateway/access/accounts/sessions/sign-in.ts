import type { Session } from "#contract/accounts/account.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { sessions, users } from "#gateway/platform/database/schema.ts";
import { tooManyRequests } from "#gateway/platform/http/limits.ts";
import type { Limit } from "#gateway/platform/limits/limiter.ts";
import { addressBlock } from "#gateway/platform/network/address-rules.ts";
import { queuedVerify } from "../passwords/password.ts";
import { askSecondFactor } from "../second-factor/tickets.ts";
import { type Origin, openSession } from "./open.ts";

/** Checks e-mail and password and opens a session. Throws as `provePassword`, `askSecondFactor` and `openSession`. */
export async function signIn(
  context: AccessContext,
  input: { email: string; password: string },
  origin: Origin,
): Promise<Session> {
  const userId = await provePassword(context, input, origin.ip);
  await askSecondFactor(context, userId);
  return context.database.transaction((queries) => openSession(context, queries, userId, "password", origin));
}

interface AttemptLimits {
  /** Per IP address and e-mail address. */
  fromAddress: Limit;
  /** For all IP addresses together from which the user never signed in; a single address cannot use it up. */
  fromAnywhere: Limit;
  message: string;
}

/** Passwords: ten at once, then one a minute. Six-digit codes: five at once, then one every two minutes. */
const limits = {
  password: {
    fromAddress: { name: "sign-in from an address", count: 10, periodMs: 600_000 },
    fromAnywhere: { name: "sign-in from anywhere", count: 100, periodMs: 3_600_000 },
    message: "Too many wrong passwords. Wait a minute and try again.",
  },
  code: {
    fromAddress: { name: "codes from an address", count: 5, periodMs: 600_000 },
    fromAnywhere: { name: "codes from anywhere", count: 30, periodMs: 3_600_000 },
    message: "Too many wrong codes. Wait one to two minutes and try again.",
  },
} satisfies Record<string, AttemptLimits>;

/** A counted attempt to sign in, or to enter a code. */
export interface Attempt {
  /** Uncounts an attempt that was not checked. */
  withdraw(): Promise<void>;
  /** A correct password clears the earlier wrong ones. */
  succeed(): Promise<void>;
}

/** The user with this e-mail address and password. Throws `invalid_credentials` or `rate_limit_exceeded`. */
export async function provePassword(
  context: AccessContext,
  input: { email: string; password: string },
  ip: string | null,
): Promise<string> {
  const email = input.email.trim().toLowerCase();
  const attempt = await countAttempt(context, email, ip);
  const user = await userOf(context, email, input.password, ip).catch(async (error: unknown) => {
    await attempt.withdraw();
    throw error;
  });
  if (!user) throw new ApiError("invalid_credentials", "Wrong e-mail address or password.");
  await attempt.succeed();
  return user.id;
}

/**
 * Counts an attempt before it is checked, so that concurrent attempts see each other. Attackers elsewhere
 * cannot lock a user out: from an address where the user has signed in before, only attempts from that
 * address count, and addresses take turns in the queue of the hash (`passwords/password.ts`). Throws
 * `rate_limit_exceeded`.
 */
export async function countAttempt(
  { limiter, database }: Pick<AccessContext, "limiter" | "database">,
  email: string,
  ip: string | null,
  what: keyof typeof limits = "password",
): Promise<Attempt> {
  const { fromAddress, fromAnywhere, message } = limits[what];
  const address = addressBlock(ip ?? "");
  const pair = `${address} ${email}`;
  const here = await limiter.take(pair, fromAddress);
  if (!here.allowed) throw tooManyRequests(message, here);
  const anywhere = await limiter.take(email, fromAnywhere);
  const withdraw = async () => {
    await limiter.giveBack(pair, fromAddress);
    if (anywhere.allowed) await limiter.giveBack(email, fromAnywhere);
  };
  const isKnown = async () => anywhere.allowed || hasSignedInFrom(database, email, address);
  const mayTry = await isKnown().catch(async (error: unknown) => {
    await withdraw();
    throw error;
  });
  if (!mayTry) throw tooManyRequests(message, anywhere);
  return {
    withdraw,
    async succeed() {
      await limiter.reset(pair, fromAddress);
      if (anywhere.allowed) await limiter.giveBack(email, fromAnywhere);
    },
  };
}

/** Whether a session of the user, active or ended, was opened from this address. */
async function hasSignedInFrom(
  { queries }: AccessContext["database"],
  email: string,
  address: string,
): Promise<boolean> {
  const rows = await queries
    .selectDistinct({ ip: sessions.ip })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(users.email, email));
  return rows.some(({ ip }) => ip !== null && addressBlock(ip) === address);
}

/**
 * Checks the password that a signed-in person enters again as `param`. Throws `invalid_credentials` or
 * `rate_limit_exceeded`.
 */
export async function proveOwnPassword(
  context: AccessContext,
  input: { email: string; password: string },
  ip: string | null,
  param: string,
): Promise<void> {
  await provePassword(context, input, ip).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== "invalid_credentials") throw error;
    throw new ApiError("invalid_credentials", "This is not your current password.", { param });
  });
}

/** The user with this e-mail address and password, or null. */
async function userOf(context: AccessContext, email: string, password: string, ip: string | null) {
  const [user] = await context.database.queries.select().from(users).where(eq(users.email, email));
  return (await queuedVerify(password, user?.passwordHash ?? null, ip)) && user ? user : null;
}
