import { and, asc, eq, gt, isNotNull } from "drizzle-orm";
import { encodeTime } from "ulid";
import { idPrefixes } from "#contract/ids.ts";
import type { Queries } from "#gateway/database/database.ts";
import { webhookEvents } from "#gateway/database/schema.ts";
import { timeOfId } from "../deliveries/new-delivery.ts";

export interface StreamedEvent {
  id: string;
  type: string;
  body: string;
}

/** An id is made before its transaction commits, so a smaller one may show up after a greater one. */
const lateCommitMs = 10_000;
const pageSize = 100;
const ulidTimeLength = 10;

/** Reads an account's events as they appear: each once, none left out. */
export class NewEvents {
  private readonly accountId: string;
  /** Nothing up to this id is wanted. */
  private readonly start: string;
  private newestMs: number;
  private readonly seen = new Set<string>();

  /** Starts after event `lastId`, or now. */
  constructor(accountId: string, lastId: string | null) {
    this.accountId = accountId;
    this.start = lastId ?? idFloor(Date.now());
    this.newestMs = timeOfId(this.start).getTime();
  }

  async read(queries: Queries): Promise<StreamedEvent[]> {
    const floor = idFloor(this.newestMs - lateCommitMs);
    for (const id of this.seen) if (id < floor) this.seen.delete(id);
    const fresh: StreamedEvent[] = [];
    let after = this.start;
    if (floor > after) after = floor;
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
        if (this.seen.has(id) || body === null) continue;
        this.seen.add(id);
        this.newestMs = Math.max(this.newestMs, timeOfId(id).getTime());
        fresh.push({ id, type, body });
      }
      if (rows.length < pageSize) return fresh;
    }
  }
}

function idFloor(atMs: number): string {
  return `${idPrefixes.event}_${encodeTime(atMs, ulidTimeLength).toLowerCase()}${"0".repeat(16)}`;
}
