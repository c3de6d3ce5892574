import { and, asc, eq, gt, isNotNull } from "drizzle-orm";
import type { Queries } from "#gateway/database/database.ts";
import { webhookEvents } from "#gateway/database/schema.ts";
import { idFloor, lateFloor } from "./event-ids.ts";
import { SeenEvents } from "./seen-events.ts";

interface StreamedEvent {
  id: string;
  type: string;
  body: string;
}

const pageSize = 100;

/** Reads an account's events as they appear: each once, none left out. */
export class NewEvents {
  private readonly accountId: string;
  private readonly seen: SeenEvents;

  /** Starts now, or a little before event `lastId`, for those that committed after it. */
  constructor(accountId: string, lastId: string | null) {
    this.accountId = accountId;
    this.seen =
      lastId === null ? new SeenEvents(idFloor(Date.now())) : new SeenEvents(lateFloor(lastId), lastId);
  }

  /** A later stream that is given this id leaves none out. */
  get newest(): string {
    return this.seen.newest;
  }

  /** What is new, read page by page as the caller goes on. */
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
