/** A token bucket: bursts of up to `count`, refilled evenly by `count` every `periodMs`. */
export interface Limit {
  /** Separates the counts of different limits of one subject. */
  name: string;
  count: number;
  periodMs: number;
}

export interface Taken {
  allowed: boolean;
  /** How many more may follow at once. */
  remaining: number;
  /** When the next one is allowed; 0 when it is now. */
  retryAfterMs: number;
  /** When the whole count is available again. */
  resetMs: number;
}

/**
 * Counts all limits. A subject is what is limited: a key, a session, an address. The answers are promises, so that an
 * implementation may share limits among processes.
 */
export interface Limiter {
  /** Counts one, unless nothing is left. */
  take(subject: string, limit: Limit): Promise<Taken>;
  /** Gives one back that turned out not to count. */
  giveBack(subject: string, limit: Limit): Promise<void>;
  /** Clears the subject's count. */
  reset(subject: string, limit: Limit): Promise<void>;
}

interface Bucket {
  tokens: number;
  refilledAt: number;
}

/** Subjects kept per limit; beyond it full buckets are dropped, then the oldest tenth. */
const maxSubjects = 50_000;

/** Counts in the memory of this process. */
export function createLimiter(): Limiter {
  const limits = new Map<string, Map<string, Bucket>>();
  const bucketsOf = (limit: Limit): Map<string, Bucket> => {
    const found = limits.get(limit.name);
    if (found) return found;
    const buckets = new Map<string, Bucket>();
    limits.set(limit.name, buckets);
    return buckets;
  };
  return {
    async take(subject, limit) {
      const now = performance.now();
      const buckets = bucketsOf(limit);
      const bucket = buckets.get(subject) ?? addBucket(buckets, subject, limit, now);
      refill(bucket, limit, now);
      const allowed = bucket.tokens >= 1;
      if (allowed) bucket.tokens -= 1;
      const perTokenMs = limit.periodMs / limit.count;
      return {
        allowed,
        remaining: Math.floor(bucket.tokens),
        retryAfterMs: allowed ? 0 : (1 - bucket.tokens) * perTokenMs,
        resetMs: (limit.count - bucket.tokens) * perTokenMs,
      };
    },
    async giveBack(subject, limit) {
      const bucket = bucketsOf(limit).get(subject);
      if (bucket) bucket.tokens = Math.min(limit.count, bucket.tokens + 1);
    },
    async reset(subject, limit) {
      bucketsOf(limit).delete(subject);
    },
  };
}

function addBucket(buckets: Map<string, Bucket>, subject: string, limit: Limit, now: number): Bucket {
  if (buckets.size >= maxSubjects) dropBuckets(buckets, limit, now);
  const bucket = { tokens: limit.count, refilledAt: now };
  buckets.set(subject, bucket);
  return bucket;
}

function refill(bucket: Bucket, { count, periodMs }: Limit, now: number): void {
  // A clock set back must not reduce the count.
  const passedMs = Math.max(0, now - bucket.refilledAt);
  bucket.tokens = Math.min(count, bucket.tokens + (passedMs * count) / periodMs);
  bucket.refilledAt = now;
}

function dropBuckets(buckets: Map<string, Bucket>, limit: Limit, now: number): void {
  for (const [subject, { refilledAt }] of buckets)
    if (now - refilledAt >= limit.periodMs) buckets.delete(subject);
  const excess = buckets.size - maxSubjects * 0.9;
  let dropped = 0;
  for (const subject of buckets.keys()) {
    if (dropped >= excess) return;
    buckets.delete(subject);
    dropped += 1;
  }
}
