import type { BaseContext } from "#gateway/context.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { sessions, users } from "#gateway/platform/database/schema.ts";
import { tooManyRequests } from "#gateway/platform/http/limits.ts";
import type { Limit } from "#gateway/platform/limits/limiter.ts";
import { addressBlock } from "#gateway/platform/network/address-rules.ts";

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

/**
 * Counts an attempt before it is checked, so that concurrent attempts see each other. Attackers elsewhere
 * cannot lock a user out: from an address where the user has signed in before, only attempts from that
 * address count, and addresses take turns in the queue of the hash (`passwords/hash.ts`). Throws
 * `rate_limit_exceeded`.
 */
export async function countAttempt(
  { limiter, database }: Pick<BaseContext, "limiter" | "database">,
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
  { queries }: BaseContext["database"],
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
