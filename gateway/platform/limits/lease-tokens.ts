import type pg from "pg";
import type { Limit } from "./limiter.ts";

interface Question {
  subject: string;
  limit: Limit;
  /** How many tokens to take; negative: to give back. */
  want: number;
}

export interface Answer {
  /** What was taken; negative: given back. */
  granted: number;
  /** Tokens left in the bucket, with fractions. */
  left: number;
}

/** What is in the bucket now, by the database's clock, which may have been set back. */
const refilled = `least(excluded.size, l.tokens + greatest(0, extract(epoch from excluded.refilled_at - l.refilled_at))
  * 1000 * excluded.size / excluded.period_ms)`;
const granted = `case when excluded.granted < 0 then excluded.granted
  else least(excluded.granted, floor(${refilled} + 0.000001)) end`;

/** Debits many buckets at once. In one order, so that processes never wait for each other in a circle. */
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

/** The answers in the order of the questions, of which no two may have the same subject and limit. */
export async function leaseTokens(pool: pg.Pool, questions: Question[]): Promise<(Answer | undefined)[]> {
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
