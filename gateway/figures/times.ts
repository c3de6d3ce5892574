/**
 * Times are counted in buckets that grow by a tenth, so counts of any minutes, keys and processes add up exactly, and every
 * percentile of the sum is right within `relativeError`. Below a millisecond they are not told apart.
 */
export const relativeError = 0.05;

const growth = (1 + relativeError) / (1 - relativeError);
const logOfGrowth = Math.log(growth);
/** A bucket and what was measured are one number: `measured * bucketsEach + bucket`. The last bucket has all beyond 29 years. */
const bucketsEach = 256;

/** What is measured of a run or an attempt, in the order of their numbers. */
export const measured = {
  /** From the request to the end of its answer; of an async run from its start; of a delivery from the request to the receiver's answer. */
  answer: 0,
  /** To the first chunk of a streamed answer. */
  first: 1,
  /** From acceptance to the start of an async run; of a delivery from its event to its arrival. */
  queue: 2,
} as const;
export type Measured = keyof typeof measured;

/** Counts by bucket. */
export type Times = Map<number, number>;

/** Counts a time. */
export function addTime(times: Times, of: Measured, ms: number): void {
  const bucket = measured[of] * bucketsEach + bucketOf(ms);
  times.set(bucket, (times.get(bucket) ?? 0) + 1);
}

function bucketOf(ms: number): number {
  // Also what is not a number: a clock that was set back must not lose the run.
  if (!(ms > 1)) return 0;
  return Math.min(bucketsEach - 1, Math.ceil(Math.log(ms) / logOfGrowth));
}

/** The middle of a bucket: no time in it is further away than `relativeError`. */
function timeOf(bucket: number): number {
  return bucket === 0 ? 1 : (2 * growth ** bucket) / (growth + 1);
}

/** As they are stored: bucket, count, bucket, count. */
export function pairsOf(times: Times): number[] {
  return [...times].flat();
}

/** Adds stored pairs. */
export function addPairs(times: Times, pairs: readonly number[]): void {
  for (let place = 0; place + 1 < pairs.length; place += 2) {
    const bucket = pairs[place] as number;
    times.set(bucket, (times.get(bucket) ?? 0) + (pairs[place + 1] as number));
  }
}

/** The times in milliseconds that these shares of what was measured do not exceed; null where nothing was. */
export function percentiles(times: Times, of: Measured, shares: readonly number[]): (number | null)[] {
  const first = measured[of] * bucketsEach;
  const counts: [number, number][] = [];
  let total = 0;
  for (const [bucket, count] of times)
    if (bucket >= first && bucket < first + bucketsEach) {
      counts.push([bucket, count]);
      total += count;
    }
  counts.sort(([a], [b]) => a - b);
  return shares.map((share) => {
    const rank = Math.max(1, Math.ceil(share * total));
    let seen = 0;
    for (const [bucket, count] of counts) {
      seen += count;
      if (seen >= rank) return timeOf(bucket - first);
    }
    return null;
  });
}
