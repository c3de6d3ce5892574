import type pg from "pg";
import type { Logger } from "pino";
import type { Limit, Taken } from "./limiter.ts";

/** A process leases tokens for this time, judged by its recent demand. */
const leaseMs = 250;

/**
 * How long an answer of the database is used. Leased tokens that are still unused after this time are
 * returned.
 */
const validMs = 1_000;

/** After the answer "no tokens left" the next query waits for the next token, and at least this long. */
const askAgainMs = 25;

/** For limits below this number no tokens are leased in advance: each request is counted separately. */
const exactBelow = 100;

/** The largest part of a limit that one process leases in advance. */
const maxPart = 1 / 20;

interface Bucket {
  subject: string;
  limit: Limit;
  /** Leased tokens. */
  leased: number;
  /** The tokens left in the database, and when it answered. */
  left: number;
  answeredAt: number;
  /** Until this time requests are refused without a query. */
  emptyUntil: number;
  /** Tokens taken since the last answer. */
  used: number;
  /** The number of waiters in the last query. */
  asked: number;
  waiting: { resolve: (taken: Taken) => void; reject: (error: unknown) => void }[];
}

/** After a failure no query is sent for this long, and callers get the same failure. */
const pauseMs = 200;

/**
 * Collects items and asks the database about them together, one query at a time: items added during a query
 * are part of the next one.
 */
export class Asker<Item> {
  private waiting = new Set<Item>();
  private asking: Promise<void> | null = null;
  private failed: { at: number; error: unknown } | null = null;
  private readonly ask: (items: Item[]) => Promise<void>;
  private readonly fail: (items: Item[], error: unknown) => void;

  /** `ask` answers the items; `fail` gets the items without an answer. */
  constructor(ask: (items: Item[]) => Promise<void>, fail: (items: Item[], error: unknown) => void) {
    this.ask = ask;
    this.fail = fail;
  }

  add(item: Item): void {
    this.waiting.add(item);
    this.asking ??= this.askAll();
  }

  /** Resolves when all added items have an answer. */
  async allAnswered(): Promise<void> {
    await this.asking;
  }

  private async askAll(): Promise<void> {
    // Items added in the same turn of the event loop join this query.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.waiting.size > 0) {
      const items = [...this.waiting];
      this.waiting = new Set();
      try {
        if (this.failed && performance.now() - this.failed.at < pauseMs) throw this.failed.error;
        await this.ask(items);
        this.failed = null;
      } catch (error) {
        if (this.failed?.error !== error) this.failed = { at: performance.now(), error };
        this.fail(items, error);
      }
    }
    this.asking = null;
  }
}

/** Token buckets in the database that this process leases from. */
export class Rates {
  private readonly buckets = new Map<string, Bucket>();
  private readonly asker: Asker<Bucket>;
  private readonly timer: NodeJS.Timeout;
  private readonly pool: pg.Pool;

  constructor(pool: pg.Pool, log: Logger) {
    this.pool = pool;
    this.asker = new Asker(
      (buckets) => this.ask(buckets),
      (buckets, error) => {
        log.warn({ err: error }, "limits: the database was not reached; leases are used up");
        for (const bucket of buckets) this.allowLeased(bucket, error);
      },
    );
    this.timer = setInterval(() => this.tidy(), leaseMs);
    this.timer.unref();
  }

  take(subject: string, limit: Limit): Taken | Promise<Taken> {
    const bucket = this.bucketOf(subject, limit);
    const now = performance.now();
    if (now - bucket.answeredAt <= validMs && bucket.waiting.length === 0) {
      if (bucket.leased >= 1) {
        if (bucket.leased <= this.ahead(bucket, now) / 2) this.asker.add(bucket);
        return this.allow(bucket, now);
      }
      if (now < bucket.emptyUntil) return refusal(bucket, now);
    }
    return new Promise((resolve, reject) => {
      bucket.waiting.push({ resolve, reject });
      this.asker.add(bucket);
    });
  }

  async giveBack(subject: string, limit: Limit): Promise<void> {
    const bucket = this.bucketOf(subject, limit);
    bucket.leased += 1;
    if (limit.count >= exactBelow) return;
    this.asker.add(bucket);
    await this.asker.allAnswered();
  }

  async reset(subject: string, { name }: Limit): Promise<void> {
    this.buckets.delete(`${name} ${subject}`);
    await this.pool.query("delete from limit_rates where name = $1 and subject = $2", [name, subject]);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    for (const bucket of this.buckets.values()) {
      bucket.used = 0;
      bucket.answeredAt = Number.NEGATIVE_INFINITY;
      if (bucket.leased > 0) this.asker.add(bucket);
    }
    await this.asker.allAnswered();
  }

  private bucketOf(subject: string, limit: Limit): Bucket {
    const name = `${limit.name} ${subject}`;
    const known = this.buckets.get(name);
    if (known) {
      known.limit = limit;
      return known;
    }
    const never = Number.NEGATIVE_INFINITY;
    const bucket = {
      subject,
      limit,
      leased: 0,
      left: 0,
      answeredAt: never,
      emptyUntil: never,
      used: 0,
      asked: 0,
      waiting: [],
    };
    this.buckets.set(name, bucket);
    return bucket;
  }

  /** How many tokens to hold in advance, by the demand since the last answer. */
  private ahead({ limit, used, answeredAt }: Bucket, now: number): number {
    if (limit.count < exactBelow) return 0;
    const sinceMs = Math.max(leaseMs / 5, now - answeredAt);
    return Math.min(Math.ceil((used * leaseMs) / sinceMs), Math.floor(limit.count * maxPart));
  }

  /** How many tokens to request; negative: to return. */
  private wanted(bucket: Bucket, now: number): number {
    const { limit, leased, waiting, answeredAt } = bucket;
    const wanted = Math.ceil(this.ahead(bucket, now) + waiting.length - leased);
    // Just after an answer the demand is unknown, so only idle tokens are returned.
    const mayGoBack = limit.count < exactBelow || now - answeredAt > validMs;
    return mayGoBack ? wanted : Math.max(0, wanted);
  }

  private async ask(candidates: Bucket[]): Promise<void> {
    const now = performance.now();
    const wants = new Map(candidates.map((bucket) => [bucket, this.wanted(bucket, now)]));
    const buckets = candidates.filter((bucket) => wants.get(bucket) !== 0 || bucket.waiting.length > 0);
    if (buckets.length === 0) return;
    for (const bucket of buckets) bucket.asked = bucket.waiting.length;
    // Tokens that are being returned must not be used during the query.
    for (const bucket of buckets) bucket.leased += Math.min(0, wants.get(bucket) ?? 0);
    const answers = await leaseTokens(
      this.pool,
      buckets.map((bucket) => ({
        subject: bucket.subject,
        limit: bucket.limit,
        want: wants.get(bucket) ?? 0,
      })),
    );
    for (const [at, bucket] of buckets.entries()) this.answer(bucket, answers[at]);
  }

  private answer(bucket: Bucket, answer: Answer | undefined): void {
    if (!answer) {
      this.allowLeased(bucket, new Error("limits: the database gave no answer"));
      return;
    }
    const now = performance.now();
    const { limit } = bucket;
    bucket.leased += Math.max(0, answer.granted);
    bucket.left = answer.left;
    bucket.answeredAt = now;
    bucket.used = 0;
    const nextMs = (Math.max(0, 1 - answer.left) * limit.periodMs) / limit.count;
    bucket.emptyUntil = nextMs === 0 ? now : now + Math.min(validMs, Math.max(askAgainMs, nextMs));
    const { waiting, asked } = bucket;
    // Waiters that came after the query was sent are part of the next one.
    bucket.waiting = waiting.slice(Math.max(asked, Math.floor(bucket.leased)));
    for (const { resolve } of waiting.slice(0, waiting.length - bucket.waiting.length))
      resolve(bucket.leased >= 1 ? this.allow(bucket, now) : refusal(bucket, now));
  }

  /** For the time without a database: leased tokens are used up, then every call fails. */
  private allowLeased(bucket: Bucket, error: unknown): void {
    const { waiting } = bucket;
    bucket.waiting = [];
    for (const { resolve, reject } of waiting) {
      if (bucket.leased >= 1) resolve(this.allow(bucket, performance.now()));
      else reject(error);
    }
  }

  private allow(bucket: Bucket, now: number): Taken {
    bucket.leased -= 1;
    bucket.used += 1;
    const { limit } = bucket;
    const left = Math.min(limit.count, leftNow(bucket, now) + bucket.leased);
    return {
      allowed: true,
      remaining: Math.floor(left),
      retryAfterMs: 0,
      resetMs: ((limit.count - left) * limit.periodMs) / limit.count,
    };
  }

  /** Returns unused tokens, and drops idle subjects. */
  private tidy(): void {
    const now = performance.now();
    for (const [name, bucket] of this.buckets) {
      if (now - bucket.answeredAt <= validMs || bucket.waiting.length > 0) continue;
      bucket.used = 0;
      if (bucket.leased >= 1) this.asker.add(bucket);
      else this.buckets.delete(name);
    }
  }
}

/** The tokens left in the database by now, if no other process took any. */
function leftNow({ left, answeredAt, limit }: Bucket, now: number): number {
  return Math.min(limit.count, left + ((now - answeredAt) * limit.count) / limit.periodMs);
}

function refusal(bucket: Bucket, now: number): Taken {
  const left = leftNow(bucket, now);
  const perTokenMs = bucket.limit.periodMs / bucket.limit.count;
  return {
    allowed: false,
    remaining: 0,
    retryAfterMs: Math.max(0, 1 - left) * perTokenMs,
    resetMs: (bucket.limit.count - left) * perTokenMs,
  };
}

interface Question {
  subject: string;
  limit: Limit;
  /** How many tokens to take; negative: to return. */
  want: number;
}

interface Answer {
  /** Tokens taken; negative: returned. */
  granted: number;
  /** Tokens left in the bucket, with fractions. */
  left: number;
}

/** The bucket's current content by the database's clock, which may have been set back. */
const refilled = `least(excluded.size, l.tokens + greatest(0, extract(epoch from excluded.refilled_at - l.refilled_at))
  * 1000 * excluded.size / excluded.period_ms)`;

const granted = `case when excluded.granted < 0 then excluded.granted
  else least(excluded.granted, floor(${refilled} + 0.000001)) end`;

/** Debits many buckets at once. Always in the same order, so that processes cannot deadlock. */
const text = `
  insert into limit_rates as l (name, subject, size, period_ms, tokens, granted, refilled_at)
  select name, subject, size, period_ms, size - greatest(0, least(want, size)), least(want, size), clock_timestamp()
  from json_to_recordset($1) as asked
    (name text, subject text, size float8, period_ms float8, want float8)
  order by name, subject
  on conflict (name, subject) do update set
    size = excluded.size, period_ms = excluded.period_ms,
    tokens = least(excluded.size, ${refilled} - ${granted}), granted = ${granted},
    refilled_at = greatest(l.refilled_at, excluded.refilled_at)
  returning name, subject, tokens, granted`;

/** The answers in the order of the questions; no two may have the same subject and limit. */
async function leaseTokens(pool: pg.Pool, questions: Question[]): Promise<(Answer | undefined)[]> {
  const asked = questions.map(({ subject, limit, want }) => ({
    name: limit.name,
    subject,
    size: limit.count,
    period_ms: limit.periodMs,
    want,
  }));
  const { rows } = await pool.query<{ name: string; subject: string; tokens: number; granted: number }>({
    name: "lease tokens",
    text,
    values: [JSON.stringify(asked)],
  });
  const answers = new Map(
    rows.map((row) => [`${row.name} ${row.subject}`, { granted: row.granted, left: row.tokens }]),
  );
  return asked.map(({ name, subject }) => answers.get(`${name} ${subject}`));
}
