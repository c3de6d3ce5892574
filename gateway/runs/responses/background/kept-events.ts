import { instanceId } from "#gateway/platform/core/leased-loop.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, asc, eq, sql } from "#gateway/platform/database/drizzle.ts";
import { responseEvents } from "#gateway/platform/database/schema.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import type { Job } from "./settle.ts";

/** How often new events are stored. Readers poll at the same interval. */
const keepEveryMs = 500;
/**
 * The number of the first event that is stored. The events before it report the acceptance and are the same
 * for every background response.
 */
export const firstKept = 2;
/** A reader that is far behind loads this many pieces at once. */
const maxPiecesAtOnce = 50;

export interface ResponseEvent {
  type: string;
  [member: string]: unknown;
}

/**
 * Events that are not stored. The reader makes them from the stored response, so that each is sent exactly once
 * however the response ended.
 */
const notKept = new Set(["response.created", "response.completed", "response.incomplete", "response.failed"]);

/**
 * Stores the events of a response while it is made, so that readers in every process can follow the response.
 * Between two writes, pieces of the same text are merged. A run repeated after a crash stores only the events
 * that its first attempt did not store.
 */
export class KeptEvents {
  readonly #context: RunsContext;
  readonly #job: Job;
  /** Events that an earlier attempt stored and this attempt has not reached yet. */
  readonly #earlier: ResponseEvent[];
  readonly #timer: NodeJS.Timeout;
  /** The number of the next stored event. */
  #next: number;
  /** As JSON, because items change after their event. */
  #events: string[] = [];
  /** The piece of a text that is still growing. */
  #piece: ResponseEvent | null = null;
  #storing = Promise.resolve();
  #isAnother = false;

  private constructor(context: RunsContext, job: Job, earlier: ResponseEvent[]) {
    this.#context = context;
    this.#job = job;
    this.#earlier = earlier;
    this.#next = firstKept + earlier.length;
    this.#timer = setInterval(() => {
      // Events that could not be stored are stored with the next ones.
      this.store().catch((err: unknown) => context.log.info({ err }, "events could not be stored yet"));
    }, keepEveryMs);
  }

  static async of(context: RunsContext, job: Job): Promise<KeptEvents> {
    const earlier: ResponseEvent[] = [];
    for (let next = 0, isAll = false; !isAll; next = firstKept + earlier.length) {
      const { events } = await keptEvents(context.database.queries, job.id, next);
      earlier.push(...events);
      isAll = events.length === 0;
    }
    return new KeptEvents(context, job, earlier);
  }

  add(type: string, data: Record<string, unknown>): void {
    if (notKept.has(type)) return;
    const fresh = this.#withoutEarlier({ type, ...data });
    if (fresh === null) return;
    if (this.#piece && isSameText(this.#piece, fresh)) {
      this.#piece.delta = `${this.#piece.delta}${fresh.delta}`;
      for (const each of listOf(fresh.logprobs)) listOf(this.#piece.logprobs).push(each);
      return;
    }
    this.#endPiece();
    if (typeof fresh.delta === "string") this.#piece = { ...fresh, ...copiedLogprobs(fresh) };
    else this.#events.push(JSON.stringify(fresh));
  }

  /** Stores all events that were added. */
  store(): Promise<void> {
    this.#storing = this.#storing.catch(() => {}).then(() => this.#store());
    return this.#storing;
  }

  end(): void {
    clearInterval(this.#timer);
  }

  async #store(): Promise<void> {
    this.#endPiece();
    const { length } = this.#events;
    if (length === 0) return;
    // A process that lost its lease stores nothing, and nothing is stored twice if the database's answer is
    // lost.
    await this.#context.database.queries.execute(sql`
      insert into response_events (response_id, number, events)
      select id, ${this.#next}, ${`[${this.#events.join(",")}]`}::json from response_jobs
      where id = ${this.#job.id} and lease_owner = ${instanceId}
      on conflict do nothing`);
    this.#events.splice(0, length);
    this.#next += length;
  }

  #endPiece(): void {
    if (this.#piece) this.#events.push(JSON.stringify(this.#piece));
    this.#piece = null;
  }

  /** The part of an event that an earlier attempt did not store; null if nothing is left. */
  #withoutEarlier(event: ResponseEvent): ResponseEvent | null {
    let left = event;
    for (let [before] = this.#earlier; before; [before] = this.#earlier) {
      if (before.type !== left.type) this.#isAnother = true;
      // This attempt writes a different text than the earlier one, so the reader gets it only with the
      // complete response at the end.
      if (this.#isAnother) return null;
      if (typeof before.delta !== "string" || typeof left.delta !== "string") {
        this.#earlier.shift();
        return null;
      }
      const { length } = before.delta;
      if (left.delta.length < length) {
        before.delta = before.delta.slice(left.delta.length);
        return null;
      }
      this.#earlier.shift();
      left = { ...left, delta: left.delta.slice(length) };
      if (left.delta === "") return null;
    }
    return left;
  }
}

function isSameText(one: ResponseEvent, other: ResponseEvent): boolean {
  const names = ["type", "item_id", "output_index", "content_index", "summary_index"];
  return typeof other.delta === "string" && names.every((name) => one[name] === other[name]);
}

function copiedLogprobs({ logprobs }: ResponseEvent): { logprobs?: unknown[] } {
  return Array.isArray(logprobs) ? { logprobs: [...logprobs] } : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Stored events from a number on, not necessarily all: the next ones start at `number + events.length`. */
export async function keptEvents(
  queries: Queries,
  id: string,
  from: number,
): Promise<{ number: number; events: ResponseEvent[] }> {
  const rows = await queries
    .select({ number: responseEvents.number, events: responseEvents.events })
    .from(responseEvents)
    .where(
      and(
        eq(responseEvents.responseId, id),
        // A stored group of events that includes this number may begin before it.
        sql`number >= coalesce((select max(number) from response_events where response_id = ${id} and number <= ${from}), 0)`,
        sql`number + json_array_length(events) > ${from}`,
      ),
    )
    .orderBy(asc(responseEvents.number))
    .limit(maxPiecesAtOnce);
  const first = rows[0]?.number ?? from;
  const events = rows.flatMap((row) => row.events as ResponseEvent[]);
  return { number: Math.max(first, from), events: events.slice(Math.max(0, from - first)) };
}

/** The number after the last stored event, and the model that wrote it; null without any. */
export async function endOfKept(
  queries: Queries,
  id: string,
): Promise<{ end: number; model: string } | null> {
  const [row] = await queries
    .select({
      end: sql<number | null>`max(number + json_array_length(events))::int`,
      model: sql<string>`max(events -> 0 -> 'response' ->> 'model') filter (where number = ${firstKept})`,
    })
    .from(responseEvents)
    .where(eq(responseEvents.responseId, id));
  return typeof row?.end === "number" ? { end: row.end, model: row.model } : null;
}
