import type pg from "pg";
import type { Logger } from "pino";
import type { PlatformContext } from "#gateway/platform/context.ts";
import { instanceId } from "#gateway/platform/core/leased-loop.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import type { Database } from "#gateway/platform/database/database.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import type { Limiter, Place } from "./limiter.ts";
import { deadAfter, forgetDead, keepPresent } from "./presence.ts";
import { Asker, Rates } from "./rates.ts";

/** Two connections to the database: one for rates, one for slots. */
const connections = 2;

/** If a query takes longer, the database counts as unavailable. */
const queryTimeoutMs = 3_000;

export async function createLimiter(
  database: Pick<Database, "openSteadyPool">,
  log: Logger,
  processId: string = instanceId,
): Promise<Limiter> {
  const pool = database.openSteadyPool(connections, { queryTimeoutMs, isRelaxed: true });
  const leave = await keepPresent(pool, log, processId);
  const rates = new Rates(pool, log);
  const slots = new Slots(pool, log, processId);
  return {
    take: (subject, limit, count = 1) => rates.take(subject, limit, count),
    giveBack: (subject, limit, count = 1) => rates.giveBack(subject, limit, count),
    charge: (subject, limit, count) => rates.charge(subject, limit, count),
    reset: (subject, limit) => rates.reset(subject, limit),
    occupy: (subject, places) => slots.occupy(subject, places),
    async close() {
      slots.close();
      await rates.close();
      await leave();
      await pool.end();
    },
  };
}

/** Slots that were unused for this long are returned. */
const idleMs = 200;

/** Other processes return unused slots within two `idleMs`; a request waits slightly longer for one. */
const waitMs = 500;

const askAgainMs = 50;

/** How many slots a process holds beyond its demand, as a fraction of all slots. */
const sparePart = 1 / 10;

interface Waiter {
  since: number;
  resolve: (isFree: boolean) => void;
  reject: (error: unknown) => void;
}

interface Places {
  subject: string;
  places: number;
  running: number;
  /** The slots that this process holds. */
  held: number;
  /** The most slots in use since the last check. */
  peak: number;
  /** Until this time no slot is free, and none is expected. */
  fullUntil: number;
  /** The number of waiters in the last query. */
  asked: number;
  waiting: Waiter[];
}

/** Slots for concurrent operations, leased by processes; those of a dead process are freed after a while. */
class Slots {
  private readonly subjects = new Map<string, Places>();
  private readonly asker: Asker<Places>;
  private readonly timer: NodeJS.Timeout;
  private readonly pool: pg.Pool;
  private readonly processId: string;

  constructor(pool: pg.Pool, log: Logger, processId: string) {
    this.pool = pool;
    this.processId = processId;
    this.asker = new Asker(
      (subjects) => this.ask(subjects),
      (subjects, error) => {
        log.warn({ err: error }, "limits: the database was not reached; no more places are leased");
        for (const one of subjects) for (const { reject } of one.waiting.splice(0)) reject(error);
      },
    );
    this.timer = setInterval(() => this.tidy(), idleMs);
    this.timer.unref();
  }

  occupy(subject: string, places: number): Place | Promise<Place> {
    const one = this.placesOf(subject, places);
    if (one.running < Math.min(one.held, places)) return this.start(one);
    const now = performance.now();
    if (one.held >= places || now < one.fullUntil) return null;
    return new Promise<boolean>((resolve, reject) => {
      one.waiting.push({ since: now, resolve, reject });
      this.asker.add(one);
    }).then((isFree) => (isFree ? this.release(one) : null));
  }

  close(): void {
    clearInterval(this.timer);
  }

  private placesOf(subject: string, places: number): Places {
    const known = this.subjects.get(subject);
    if (known) {
      known.places = places;
      return known;
    }
    const one = { subject, places, running: 0, held: 0, peak: 0, fullUntil: 0, asked: 0, waiting: [] };
    this.subjects.set(subject, one);
    return one;
  }

  private start(one: Places): () => void {
    one.running += 1;
    one.peak = Math.max(one.peak, one.running);
    return this.release(one);
  }

  private release(one: Places): () => void {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      one.running -= 1;
    };
  }

  private async ask(subjects: Places[]): Promise<void> {
    const asked = subjects.map((one) => {
      const { subject, places, running, waiting } = one;
      const spare = waiting.length > 0 ? Math.floor(places * sparePart) : 0;
      const want = Math.max(running + waiting.length, one.peak) + spare;
      // Slots that are being returned must not be used during the query.
      one.held = Math.min(one.held, want);
      one.asked = waiting.length;
      return { subject, places, running, want };
    });
    const answers = await leaseSlots(this.pool, this.processId, asked);
    for (const one of subjects) this.answer(one, answers.get(one.subject));
  }

  private answer(one: Places, answer: { held: number; others: number } | undefined): void {
    one.held = answer?.held ?? one.running;
    const now = performance.now();
    const mayComeFree = (answer?.others ?? 0) > 0;
    const later: Waiter[] = [];
    for (const [at, waiter] of one.waiting.splice(0).entries()) {
      if (one.running < one.held) {
        one.running += 1;
        one.peak = Math.max(one.peak, one.running);
        waiter.resolve(true);
      } else if (at >= one.asked || (mayComeFree && now - waiter.since < waitMs)) later.push(waiter);
      else {
        one.fullUntil = now + askAgainMs;
        waiter.resolve(false);
      }
    }
    one.waiting.push(...later);
    if (later.length > 0) setTimeout(() => this.asker.add(one), askAgainMs);
  }

  /** Returns unused slots, and drops subjects with nothing running. */
  private tidy(): void {
    for (const [subject, one] of this.subjects) {
      const used = Math.max(one.peak, one.running + one.waiting.length);
      one.peak = one.running;
      if (one.held > used) this.asker.add(one);
      else if (used === 0 && one.held === 0) this.subjects.delete(subject);
    }
  }
}

interface Question {
  subject: string;
  places: number;
  /** Running operations, which count even beyond the limit. */
  running: number;
  /** The slots that the process wants to hold, including running operations. */
  want: number;
}

/** The slots of other living processes. */
const others = `
  from jsonb_each_text(l.held) as of(process, places)
  join gateway_processes p on p.id = of.process and p.seen_at > now() - interval '${deadAfter}'
  where of.process <> $2`;

const text = `
  insert into limit_slots as l (subject, places, wanted, running, held)
  select subject, places, want, running, jsonb_build_object($2::text, greatest(running, least(want, places)))
  from json_to_recordset($1) as asked (subject text, places int, want int, running int)
  order by subject
  on conflict (subject) do update set
    places = excluded.places, wanted = excluded.wanted, running = excluded.running,
    held = (select coalesce(jsonb_object_agg(of.process, of.places::int), '{}') ${others})
      || jsonb_build_object($2::text, greatest(excluded.running, least(excluded.wanted,
        excluded.places - (select coalesce(sum(of.places::int), 0) ${others}))))
  returning subject, (held ->> $2)::int as held,
    (select coalesce(sum(value::int), 0) from jsonb_each_text(held))::int - (held ->> $2)::int as others`;

/**
 * Sets how many slots the process occupies for each subject: as many as it asks for, or as many as other
 * processes leave free.
 */
async function leaseSlots(
  pool: pg.Pool,
  processId: string,
  questions: Question[],
): Promise<Map<string, { held: number; others: number }>> {
  const { rows } = await pool.query<{ subject: string; held: number; others: number }>({
    name: "lease slots",
    text,
    values: [JSON.stringify(questions), processId],
  });
  return new Map(rows.map((row) => [row.subject, row]));
}

const batchSize = 10_000;

/** Removes rows without information: full buckets, unused slots, ended processes. */
export const limitSweep: Sweep = {
  kind: "limits",
  async run({ database }: PlatformContext) {
    const { queries } = database;
    const full = await queries.execute(sql`
      delete from limit_rates where ctid = any (array(
        select ctid from limit_rates
        where tokens + extract(epoch from now() - refilled_at) * 1000 * size / period_ms >= size
        limit ${batchSize} for update skip locked))`);
    await forgetDead(queries);
    await queries.execute(sql`
      delete from limit_slots where ctid = any (array(
        select ctid from limit_slots l
        where not exists (
          select from jsonb_each_text(l.held) as of(process, places)
          join gateway_processes p on p.id = of.process where of.places::int > 0)
        limit ${batchSize} for update skip locked))`);
    return full.rowCount === batchSize;
  },
  oldestDue: () => null,
};
