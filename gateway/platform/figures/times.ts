/**
 * Times are counted in buckets that grow by a tenth, so the counts of any minutes, keys and processes can be
 * added exactly, and every percentile of the sum is accurate within `relativeError`. Times below a
 * millisecond share one bucket.
 */
export const relativeError = 0.05;

const growth = (1 + relativeError) / (1 - relativeError);
const logOfGrowth = Math.log(growth);
/**
 * A bucket and the kind of time are one number: `measured * bucketsEach + bucket`. The last bucket takes
 * everything beyond 29 years.
 */
const bucketsEach = 256;

/** The measured times of a run or an attempt, with their numbers. */
export const measured = {
  /**
   * From the request to the end of its answer; for an async run from its start; for a delivery from the
   * request to the receiver's answer.
   */
  answer: 0,
  /** To the first chunk of a streamed answer. */
  first: 1,
  /** From acceptance to the start of an async run; for a delivery from its event to its arrival. */
  queue: 2,
} as const;
export type Measured = keyof typeof measured;

/** Counts by bucket. */
export type Times = Map<number, number>;

/** Counts as an array with one element per bucket: several times as fast as `Times` for adding many. */
export type Counts = Float64Array;

export function noCounts(): Counts {
  return new Float64Array(Object.keys(measured).length * bucketsEach);
}

/** Counts a time. */
export function addTime(times: Times, of: Measured, ms: number): void {
  const bucket = measured[of] * bucketsEach + bucketOf(ms);
  times.set(bucket, (times.get(bucket) ?? 0) + 1);
}

function bucketOf(ms: number): number {
  // Also true for a negative duration, after a clock was set back, and for NaN: the run is counted all the
  // same.
  if (!(ms > 1)) return 0;
  return Math.min(bucketsEach - 1, Math.ceil(Math.log(ms) / logOfGrowth));
}

/** The middle of a bucket: no time in it is further away than `relativeError`. */
function timeOf(bucket: number): number {
  return bucket === 0 ? 1 : (2 * growth ** bucket) / (growth + 1);
}

/** In stored form: bucket, count, bucket, count. */
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

const [comma, zero, end] = [",", "0", "}"].map((text) => text.charCodeAt(0));

/**
 * Adds pairs in PostgreSQL's array text: `{bucket,count,…}`. Reads the digits directly and creates no
 * objects.
 */
export function addText(counts: Counts, text: string): void {
  let bucket = -1;
  let number = 0;
  for (let place = 1; place < text.length; place += 1) {
    const code = text.charCodeAt(place);
    if (code !== comma && code !== end) {
      number = number * 10 + code - (zero as number);
      continue;
    }
    if (bucket < 0) bucket = number;
    else {
      (counts[bucket] as number) += number;
      bucket = -1;
    }
    number = 0;
  }
}

export function addCounted(counts: Counts, more: Counts): void {
  for (let bucket = 0; bucket < counts.length; bucket += 1)
    (counts[bucket] as number) += more[bucket] as number;
}

/** Percentiles in ms; null without samples. */
export function percentiles(
  times: Times | Counts,
  of: Measured,
  shares: readonly number[],
): (number | null)[] {
  const all = times instanceof Map ? countsOf(times) : times;
  const first = measured[of] * bucketsEach;
  let total = 0;
  for (let bucket = first; bucket < first + bucketsEach; bucket += 1) total += all[bucket] as number;
  if (total === 0) return shares.map(() => null);
  return shares.map((share) => {
    const rank = Math.max(1, Math.ceil(share * total));
    let seen = 0;
    let bucket = first - 1;
    while (seen < rank) {
      bucket += 1;
      seen += all[bucket] as number;
    }
    return timeOf(bucket - first);
  });
}

function countsOf(times: Times): Counts {
  const counts = noCounts();
  for (const [bucket, count] of times) counts[bucket] = count;
  return counts;
}
