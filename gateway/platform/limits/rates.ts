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
  /** The limit is that of a run that began earlier: the one in the database counts, if there is one. */
  isOld: boolean;
  /** Leased tokens; negative: charged beyond the lease, and owed to the database. */
  leased: number;
  /** The tokens left in the database, and when it answered. */
  left: number;
  answeredAt: number;
  /** Tokens taken since the last answer. */
  used: number;
  /** The number of waiters in the last query. */
  asked: number;
  waiting: Waiter[];
}

interface Waiter {
  count: number;
  resolve: (taken: Taken) => void;
  reject: (error: unknown) => void;
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

  take(subject: string, limit: Limit, count: number): Taken | Promise<Taken> {
    const bucket = this.bucketOf(subject, limit);
    // Only a request brings the current limit. A run may end long after its limit was changed.
    bucket.limit = limit;
    bucket.isOld = false;
    const now = performance.now();
    if (now - bucket.answeredAt <= validMs && bucket.waiting.length === 0) {
      if (bucket.leased >= count) {
        if (bucket.leased <= this.ahead(bucket, now) / 2) this.asker.add(bucket);
        return this.allow(bucket, now, count);
      }
      if (now - bucket.answeredAt < emptyForMs(bucket, count)) return refusal(bucket, now, count);
    }
    return new Promise((resolve, reject) => {
      bucket.waiting.push({ count, resolve, reject });
      this.asker.add(bucket);
    });
  }

  async giveBack(subject: string, limit: Limit, count: number): Promise<void> {
    const bucket = this.bucketOf(subject, limit);
    bucket.leased += count;
    if (bucket.leased <= mostAhead(bucket.limit)) return;
    this.asker.add(bucket);
    await this.asker.allAnswered();
  }

  charge(subject: string, limit: Limit, count: number): void {
    const bucket = this.bucketOf(subject, limit);
    bucket.leased -= count;
    if (bucket.leased < 0) this.asker.add(bucket);
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
      if (bucket.leased !== 0) this.asker.add(bucket);
    }
    await this.asker.allAnswered();
  }

  private bucketOf(subject: string, limit: Limit): Bucket {
    const name = `${limit.name} ${subject}`;
    const known = this.buckets.get(name);
    if (known) return known;
    const bucket = {
      subject,
      limit,
      isOld: true,
      leased: 0,
      left: 0,
      answeredAt: Number.NEGATIVE_INFINITY,
      used: 0,
      asked: 0,
      waiting: [],
    };
    this.buckets.set(name, bucket);
    return bucket;
  }

  /** How many tokens to hold in advance, by the demand since the last answer. */
  private ahead({ limit, used, answeredAt }: Bucket, now: number): number {
    const sinceMs = Math.max(leaseMs / 5, now - answeredAt);
    return Math.min(Math.ceil((used * leaseMs) / sinceMs), mostAhead(limit));
  }

  /** How many tokens to request; negative: to return. */
  private wanted(bucket: Bucket, now: number): number {
    const { limit, leased, waiting, answeredAt } = bucket;
    const asked = waiting.reduce((sum, { count }) => sum + count, 0);
    const wanted = Math.ceil(this.ahead(bucket, now) + asked - leased);
    // Just after an answer the demand is unknown, so only idle tokens are returned, and those that are too many.
    const spare = now - answeredAt > validMs ? 0 : mostAhead(limit);
    return Math.max(wanted, Math.min(0, spare - leased));
  }

  private async ask(candidates: Bucket[]): Promise<void> {
    const now = performance.now();
    const buckets: Bucket[] = [];
    const questions: Question[] = [];
    for (const bucket of candidates) {
      const owed = Math.max(0, -bucket.leased);
      bucket.leased += owed;
      const want = this.wanted(bucket, now);
      if (want === 0 && owed === 0 && bucket.waiting.length === 0) continue;
      bucket.asked = bucket.waiting.length;
      // Tokens that are being returned must not be used during the query.
      bucket.leased += Math.min(0, want);
      buckets.push(bucket);
      const { subject, limit, isOld } = bucket;
      questions.push({ subject, limit, isOld, want, owed });
    }
    if (buckets.length === 0) return;
    const answers = await leaseTokens(this.pool, questions).catch((error: unknown) => {
      for (const [at, bucket] of buckets.entries()) bucket.leased -= questions[at]?.owed ?? 0;
      throw error;
    });
    for (const [at, bucket] of buckets.entries()) this.answer(bucket, answers[at]);
  }

  private answer(bucket: Bucket, answer: Answer | undefined): void {
    if (!answer) {
      this.allowLeased(bucket, new Error("limits: the database gave no answer"));
      return;
    }
    const now = performance.now();
    bucket.leased += Math.max(0, answer.granted);
    bucket.left = answer.left;
    bucket.answeredAt = now;
    bucket.used = 0;
    const { waiting, asked } = bucket;
    bucket.waiting = [];
    for (const [at, waiter] of waiting.entries()) {
      const { count, resolve } = waiter;
      if (bucket.leased >= count) resolve(this.allow(bucket, now, count));
      else if (at < asked) resolve(refusal(bucket, now, count));
      // It came after the query was sent, and is part of the next one.
      else bucket.waiting.push(waiter);
    }
    if (bucket.leased > mostAhead(bucket.limit)) this.asker.add(bucket);
  }

  /** For the time without a database: leased tokens are used up, then every call fails. */
  private allowLeased(bucket: Bucket, error: unknown): void {
    const { waiting } = bucket;
    bucket.waiting = [];
    for (const { count, resolve, reject } of waiting) {
      if (bucket.leased >= count) resolve(this.allow(bucket, performance.now(), count));
      else reject(error);
    }
  }

  private allow(bucket: Bucket, now: number, count: number): Taken {
    bucket.leased -= count;
    bucket.used += count;
    const { limit } = bucket;
    const left = Math.min(limit.count, leftNow(bucket, now) + bucket.leased);
    return {
      allowed: true,
      remaining: Math.max(0, Math.floor(left)),
      retryAfterMs: 0,
      resetMs: (limit.count - left) * perTokenMs(limit),
    };
  }

  /** Returns unused tokens, and drops idle subjects. */
  private tidy(): void {
    const now = performance.now();
    for (const [name, bucket] of this.buckets) {
      if (now - bucket.answeredAt <= validMs || bucket.waiting.length > 0) continue;
      bucket.used = 0;
      if (bucket.leased !== 0) this.asker.add(bucket);
      else this.buckets.delete(name);
    }
  }
}

/** The tokens left in the database by now, if no other process took any. */
function leftNow({ left, answeredAt, limit }: Bucket, now: number): number {
  return Math.min(limit.count, left + ((now - answeredAt) * limit.count) / limit.periodMs);
}

function perTokenMs({ periodMs, count }: Limit): number {
  return periodMs / count;
}

/** The most tokens that a process holds in advance. */
function mostAhead({ count }: Limit): number {
  return count < exactBelow ? 0 : Math.floor(count * maxPart);
}

/** For how long after an answer requests for this many tokens are refused without a query. */
function emptyForMs({ left, leased, limit }: Bucket, count: number): number {
  const missing = count - leased - left;
  if (missing <= 0) return 0;
  return Math.min(validMs, Math.max(askAgainMs, missing * perTokenMs(limit)));
}

function refusal(bucket: Bucket, now: number, count: number): Taken {
  const { limit, leased } = bucket;
  const left = Math.min(limit.count, leftNow(bucket, now) + leased);
  return {
    allowed: false,
    remaining: Math.max(0, Math.floor(left)),
    retryAfterMs: Math.max(0, count - left) * perTokenMs(limit),
    resetMs: (limit.count - left) * perTokenMs(limit),
  };
}

interface Question {
  subject: string;
  limit: Limit;
  isOld: boolean;
  /** How many tokens to take; negative: to return. */
  want: number;
  /** Tokens that were used without being taken: they are debited even if none is left. */
  owed: number;
}

interface Answer {
  /** Tokens taken; negative: returned. */
  granted: number;
  /** Tokens left in the bucket, with fractions; negative: more was used. */
  left: number;
}

/** What an asked row owes; its table has no column for it. */
const owed = `(excluded.size - greatest(0, excluded.granted) - excluded.tokens)`;
/** The bucket's current content by the database's clock, which may have been set back, less what is owed. */
const refilled = `(least(excluded.size, l.tokens + greatest(0, extract(epoch from excluded.refilled_at - l.refilled_at))
  * 1000 * excluded.size / excluded.period_ms) - ${owed})`;
const granted = `case when excluded.granted < 0 then excluded.granted
  else least(excluded.granted, greatest(0, floor(${refilled} + 0.000001))) end`;
const askedColumns = { size: "size_asked", period_ms: "period_asked" } as const;
/** For an old limit the value in the database, which is read for no other. */
const unlessOld = (column: keyof typeof askedColumns) => `case when is_old then coalesce((select k.${column}
  from limit_rates k where k.name = asked.name and k.subject = asked.subject), ${askedColumns[column]}) else ${askedColumns[column]} end`;
/** Debits many buckets at once. Always in the same order, so that processes cannot deadlock. */
const text = `
  insert into limit_rates as l (name, subject, size, period_ms, tokens, granted, refilled_at)
  select name, subject, size, period_ms, size - greatest(0, grantable) - owed, grantable, clock_timestamp()
  from json_to_recordset($1) as asked
    (name text, subject text, size_asked float8, period_asked float8, is_old bool, want float8, owed float8),
    lateral (select ${unlessOld("size")} as size, ${unlessOld("period_ms")} as period_ms) known,
    lateral (select least(want, greatest(0, size - owed)) as grantable) g
  order by name, subject
  on conflict (name, subject) do update set
    size = excluded.size, period_ms = excluded.period_ms,
    tokens = least(excluded.size, ${refilled} - ${granted}), granted = ${granted},
    refilled_at = greatest(l.refilled_at, excluded.refilled_at)
  returning name, subject, tokens, granted`;

/** The answers in the order of the questions; no two may have the same subject and limit. */
async function leaseTokens(pool: pg.Pool, questions: Question[]): Promise<(Answer | undefined)[]> {
  const asked = questions.map(({ subject, limit, isOld, want, owed }) => ({
    name: limit.name,
    subject,
    size_asked: limit.count,
    period_asked: limit.periodMs,
    is_old: isOld,
    want,
    owed,
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
