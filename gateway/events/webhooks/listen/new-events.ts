import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Database, Queries } from "#gateway/platform/database/database.ts";
import { and, asc, eq, gt, isNotNull } from "#gateway/platform/database/drizzle.ts";
import { webhookEvents } from "#gateway/platform/database/schema.ts";
import { eventsChannel } from "../events.ts";
import { idFloor, lateFloor, SeenEvents } from "./seen-events.ts";

interface StreamedEvent {
  id: string;
  type: string;
  body: string;
}

const pageSize = 100;

/** Reads an account's events as they appear: each once, none skipped. */
export class NewEvents {
  private readonly accountId: string;
  private readonly seen: SeenEvents;

  /** Starts now, or a little before event `lastId`, for those that committed after it. */
  constructor(accountId: string, lastId: string | null) {
    this.accountId = accountId;
    this.seen =
      lastId === null ? new SeenEvents(idFloor(clock.now())) : new SeenEvents(lateFloor(lastId), lastId);
  }

  /** A later stream that starts from this id skips none. */
  get newest(): string {
    return this.seen.newest;
  }

  /** New events, read page by page as the caller consumes them. */
  async *read(queries: Queries): AsyncGenerator<StreamedEvent> {
    let after = this.seen.floor;
    for (;;) {
      const rows = await queries
        .select({ id: webhookEvents.id, type: webhookEvents.type, body: webhookEvents.body })
        .from(webhookEvents)
        .where(
          and(
            eq(webhookEvents.accountId, this.accountId),
            gt(webhookEvents.id, after),
            isNotNull(webhookEvents.body),
          ),
        )
        .orderBy(asc(webhookEvents.id))
        .limit(pageSize);
      for (const { id, type, body } of rows) {
        after = id;
        if (body !== null && this.seen.add(id)) yield { id, type, body };
      }
      if (rows.length < pageSize) return;
    }
  }
}

/**
 * Calls back when the account has new events, until the returned function is called. The database may be away
 * for a long time: throws `service_unavailable` after `limitMs`, or when the signal aborts.
 */
export async function hearEvents(
  database: Database,
  accountId: string,
  heard: () => void,
  { limitMs, signal }: { limitMs: number; signal: AbortSignal },
): Promise<() => void> {
  const listening = database.listen(eventsChannel, (notified) => {
    if (notified === accountId || notified === "") heard();
  });
  const over = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  const stop = await Promise.race([listening, aborted(over)]);
  if (stop) return stop;
  listening.then(
    (stop) => stop(),
    () => {},
  );
  throw new ApiError("service_unavailable", "Events cannot be read right now. Try again in a moment.");
}

function aborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    else signal.addEventListener("abort", () => resolve(null), { once: true });
  });
}

/** Lets a loop sleep until something happens; what happened while it was busy wakes it at once. */
export function createWakeSignal(signal: AbortSignal) {
  let resume: (() => void) | null = null;
  let isWoken = false;
  const wakeUp = () => {
    isWoken = true;
    resume?.();
  };
  signal.addEventListener("abort", wakeUp, { once: true });
  return {
    wake: wakeUp,
    async woken(): Promise<void> {
      if (!isWoken)
        await new Promise<void>((resolve) => {
          resume = resolve;
        });
      isWoken = false;
      resume = null;
    },
  };
}
