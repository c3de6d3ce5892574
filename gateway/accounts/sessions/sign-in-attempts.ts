import { eq } from "drizzle-orm";
import type { Context } from "#gateway/context.ts";
import { sessions, users } from "#gateway/database/schema.ts";
import { tooManyRequests } from "#gateway/http/limits.ts";
import type { Limit } from "#gateway/limits/limiter.ts";
import { addressBlock } from "#gateway/network/address-block.ts";

/** Per address and e-mail address: ten at once, then one a minute. */
const fromAddress: Limit = { name: "sign-in from an address", count: 10, periodMs: 600_000 };
/** For all addresses together from which the user never signed in; more than a single address can use up. */
const fromAnywhere: Limit = { name: "sign-in from anywhere", count: 100, periodMs: 3_600_000 };

const message = "Too many wrong passwords. Wait a minute and try again.";

/** Counts failed attempts to sign in. */
export interface Attempt {
  /** Uncounts an attempt whose password was not checked. */
  withdraw(): Promise<void>;
  /** The right password clears the earlier wrong ones. */
  succeed(): Promise<void>;
}

/**
 * Counts an attempt before its password is checked, so that concurrent attempts see each other. Attackers cannot lock a
 * user out: from an address where the user has signed in before, only attempts from that address count. Throws
 * `rate_limit_exceeded`.
 */
export async function countAttempt(
  { limiter, database }: Pick<Context, "limiter" | "database">,
  email: string,
  ip: string | null,
): Promise<Attempt> {
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

/** Whether the user has a session, ended or not, that began at this address. */
async function hasSignedInFrom(
  { queries }: Context["database"],
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
