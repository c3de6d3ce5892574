import { ApiError } from "#gateway/platform/core/api-error.ts";
import { FairQueue } from "#gateway/platform/core/fair-queue.ts";
import { addressBlock } from "#gateway/platform/network/address-block.ts";
import { hashPassword, verifyPassword } from "./hash.ts";

/** Each hash takes 32 MiB and one of the four threads that also read and write files. */
const hashesAtOnce = 2;
/** A few seconds of hashes. */
const waitingPerAddress = 20;
const waiting = 200;

/** The hashes of this process. Addresses take turns, so that nobody who sends many locks the others out. */
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

/** `verifyPassword` in its turn. Throws `rate_limit_exceeded` when too many of the address, or altogether, wait. */
export function queuedVerify(password: string, stored: string | null, ip: string | null): Promise<boolean> {
  return queue.run(addressBlock(ip ?? ""), () => verifyPassword(password, stored));
}

/** `hashPassword` in its turn. Throws as `queuedVerify`. */
export function queuedHash(password: string, ip: string | null): Promise<string> {
  return queue.run(addressBlock(ip ?? ""), () => hashPassword(password));
}
