import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { ApiError } from "#gateway/core/api-error.ts";

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(
  scrypt,
);
/** 32 MiB and about 60 ms: the OWASP figure for scrypt. */
const cost = { N: 32_768, r: 8, p: 3, maxmem: 128 * 1024 * 1024 };
const hashBytes = 32;

/** `scrypt$<salt>$<hash>`, both base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password.normalize("NFKC"), salt, hashBytes, cost);
  return `scrypt$${salt.toString("base64url")}$${hash.toString("base64url")}`;
}

/** Takes as long for an unknown user (`stored` null) as for a known one. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [, saltText = "", hashText = ""] = (stored ?? "scrypt$AAAAAAAAAAAAAAAAAAAAAA$").split("$");
  const hash = await derive(password.normalize("NFKC"), Buffer.from(saltText, "base64url"), hashBytes, cost);
  const expected = Buffer.from(hashText, "base64url");
  return expected.length === hash.length && timingSafeEqual(expected, hash);
}

/** Concurrent checks: each takes 32 MiB and one of the four threads that also read and write files. */
const checksAtOnce = 2;
/** Checks that may wait for their turn, a few seconds in total. */
const checksWaiting = 20;

let underWay = 0;
const waiting: (() => void)[] = [];

/** `verifyPassword`, queued with the other checks of this process. Throws `rate_limit_exceeded` when too many wait. */
export async function checkPassword(password: string, stored: string | null): Promise<boolean> {
  await turn();
  try {
    return await verifyPassword(password, stored);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else underWay -= 1;
  }
}

/** Resolves once a check may run; a finished check passes on its slot. */
async function turn(): Promise<void> {
  if (underWay < checksAtOnce) {
    underWay += 1;
    return;
  }
  if (waiting.length >= checksWaiting)
    throw new ApiError(
      "rate_limit_exceeded",
      "Too many people are signing in right now. Try again in a moment.",
      {
        retryAfterSeconds: 5,
      },
    );
  await new Promise<void>((resolve) => waiting.push(resolve));
}
