import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { passwordMinLength } from "#contract/accounts/constants.ts";
import type { PasswordPerson } from "#contract/accounts/password-strength.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { FairQueue } from "#gateway/platform/core/fair-queue.ts";
import { addressBlock } from "#gateway/platform/network/address-rules.ts";

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(
  scrypt,
);

/** 32 MiB and about 60 ms, following OWASP's recommendation for scrypt. */
const cost = { N: 32_768, r: 8, p: 3, maxmem: 128 * 1024 * 1024 };

const hashBytes = 32;

/** `scrypt$<salt>$<hash>`, both base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password.normalize("NFKC"), salt, hashBytes, cost);
  return `scrypt$${salt.toString("base64url")}$${hash.toString("base64url")}`;
}

/**
 * Takes the same time for an unknown user (`stored` is null), so that the time does not reveal who exists.
 */
async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [, saltText = "", hashText = ""] = (stored ?? "scrypt$AAAAAAAAAAAAAAAAAAAAAA$").split("$");
  const hash = await derive(password.normalize("NFKC"), Buffer.from(saltText, "base64url"), hashBytes, cost);
  const expected = Buffer.from(hashText, "base64url");
  return expected.length === hash.length && timingSafeEqual(expected, hash);
}

/** Each hash takes 32 MiB and one of the four threads that also read and write files. */
const hashesAtOnce = 2;

/** Waiting hashes: a few seconds of work. */
const waitingPerAddress = 20;

const waiting = 200;

/** The hashes of this process. IP addresses take turns, so that a busy one cannot lock the others out. */
const queue = new FairQueue({
  atOnce: hashesAtOnce,
  waitingPerGroup: waitingPerAddress,
  waiting,
  refuse: () =>
    new ApiError(
      "rate_limit_exceeded",
      "Too many passwords are being checked right now. Try again in a moment.",
      { retryAfterSeconds: 5 },
    ),
});

/**
 * Runs `verifyPassword` in turn. Throws `rate_limit_exceeded` if too many wait, for this address or in total.
 */
export function queuedVerify(password: string, stored: string | null, ip: string | null): Promise<boolean> {
  return queue.run(addressBlock(ip ?? ""), () => verifyPassword(password, stored));
}

/** Runs `hashPassword` in turn. Throws as `queuedVerify`. */
export function queuedHash(password: string, ip: string | null): Promise<string> {
  return queue.run(addressBlock(ip ?? ""), () => hashPassword(password));
}

/**
 * Rejects passwords that attackers try first: short, common, or the person's own name. Throws
 * `invalid_parameter`, `password_too_common`.
 */
export async function assertGoodPassword(
  password: string,
  person: PasswordPerson,
  param = "password",
): Promise<void> {
  if (password.length < passwordMinLength)
    throw invalidParameter(param, `${param} must have at least ${passwordMinLength} characters`);
  const { passwordWeakness } = await import("#contract/accounts/password-strength.ts");
  const weakness = passwordWeakness(password, person);
  if (weakness !== null) throw new ApiError("password_too_common", weakness, { param });
}
