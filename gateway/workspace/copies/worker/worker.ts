import { maxCopyAttempts } from "#contract/copy-constants.ts";
import type { Context } from "#gateway/context.ts";
import { startLeasedLoop } from "#gateway/platform/core/leased-loop.ts";
import { isDatabaseUnavailable } from "#gateway/platform/database/unavailable.ts";
import { openBuckets } from "../s3/buckets.ts";
import { failure } from "../s3/failure.ts";
import { type ClaimedCopy, claimCopies, renewLeases } from "./claim.ts";
import { copyFile } from "./copy-file.ts";
import { saveOutcome } from "./save-outcome.ts";

/** Files that one process copies at once: each holds a connection to the store and one to the bucket. */
const slots = 4;
const pollMs = 1_000;

/** Copies files to destinations. */
export function startCopies(context: Context): { stop(): Promise<void> } {
  const buckets = openBuckets(context.config);
  const loop = startLeasedLoop<ClaimedCopy>(context, {
    name: "copies",
    slots,
    pollMs,
    isPassing: isDatabaseUnavailable,
    keyOf: ({ copy }) => copy.id,
    accountOf: ({ copy }) => copy.accountId,
    claim: (limit, inHand, busy) => claimCopies(context, limit, inHand, busy),
    async run(claimed, { signal }) {
      // Its process died in the middle of the last attempt that it had.
      const outcome =
        claimed.copy.tries > maxCopyAttempts
          ? { result: "failed" as const, failure: failure("interrupted"), isFinal: true, isTheirs: false }
          : await copyFile(context, buckets, claimed, signal);
      await saveOutcome(context, claimed, outcome);
    },
    renew: (inHand) => renewLeases(context, inHand),
  });
  return {
    async stop() {
      await loop.stop();
      await buckets.close();
    },
  };
}
