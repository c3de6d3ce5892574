import { clock } from "#gateway/platform/core/clock.ts";
import type { AuditEntry } from "./audit.ts";

/** How long what one caller causes is added up. */
const periodMs = 600_000;
const checkEveryMs = 30_000;
/** Names that a row of the audit log has at most. */
const maxNames = 20;
/** Callers that are added up at once; what others cause is not noted. */
const maxCallers = 1_000;

/** The part of an entry that all its repetitions share. */
type Repeated = Pick<AuditEntry, "accountId" | "actor" | "action" | "targetId">;

interface Sum {
  entry: Repeated;
  since: number;
  count: number;
  names: Set<string>;
}

/**
 * Notes what a caller can cause by the thousand: the first time at once, all later ones within ten minutes as one row
 * with their number and what they were about. So a flood writes two rows, not one for each request.
 */
export class AuditSums {
  readonly #sums = new Map<string, Sum>();
  readonly #record: (entry: AuditEntry) => Promise<unknown>;
  readonly #list: string;
  readonly #timer: NodeJS.Timeout;
  #writing: Promise<unknown> = Promise.resolve();

  /** `list`: under which name a sum's row lists the names. */
  constructor(list: string, record: (entry: AuditEntry) => Promise<unknown>) {
    this.#list = list;
    this.#record = record;
    this.#timer = setInterval(() => this.#writeSums(clock.now() - periodMs), checkEveryMs);
    this.#timer.unref();
  }

  /** `first`: what only the row of the first time says. */
  add(entry: Repeated, name: string, first: Partial<AuditEntry>): void {
    const caller = JSON.stringify([entry.accountId, entry.actor?.id, entry.action, entry.targetId]);
    const sum = this.#sums.get(caller);
    if (sum) {
      sum.count += 1;
      if (sum.names.size < maxNames) sum.names.add(name);
    } else if (this.#sums.size < maxCallers) {
      this.#write({ ...entry, ...first });
      this.#sums.set(caller, { entry, since: clock.now(), count: 0, names: new Set() });
    }
  }

  #writeSums(until: number): void {
    for (const [caller, { entry, since, count, names }] of this.#sums) {
      if (since > until) continue;
      this.#sums.delete(caller);
      if (count > 0) this.#write({ ...entry, detail: { count, [this.#list]: [...names] } });
    }
  }

  #write(entry: AuditEntry): void {
    this.#writing = Promise.all([this.#writing, this.#record(entry)]);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#writeSums(Number.POSITIVE_INFINITY);
    await this.#writing;
  }
}
