import { encodeTime } from "ulid";
import { idPrefixes, isId, timeOfId } from "#contract/ids.ts";

/** An id is made before its transaction commits, so a smaller id may become visible after a greater one. */
const lateCommitMs = 10_000;
const ulidTimeLength = 10;
const greatestFirstDigit = "7";

/**
 * Whether a value has the form of an event id with a valid time: a ULID's time digits have 50 bits, but a
 * time has 48.
 */
export function isEventId(value: unknown): value is string {
  return isId("event", value) && value.charAt(idPrefixes.event.length + 1) <= greatestFirstDigit;
}

/** The smallest id that an event of this time can have. */
export function idFloor(atMs: number): string {
  const time = encodeTime(Math.max(0, atMs), ulidTimeLength).toLowerCase();
  return `${idPrefixes.event}_${time}${"0".repeat(16)}`;
}

/** Where to look again for events that committed after event `id`. */
export function lateFloor(id: string): string {
  return idFloor(timeOfId(id) - lateCommitMs);
}

/**
 * Remembers which events were seen, as far back as a late one may still appear, so it does not grow with the
 * stream.
 */
export class SeenEvents {
  /** Events up to this id are skipped. */
  private readonly start: string;
  private greatest: string;
  private readonly ids = new Set<string>();

  constructor(start: string, greatest = start) {
    this.start = start;
    this.greatest = greatest;
  }

  /** The greatest id so far: where to continue. */
  get newest(): string {
    return this.greatest;
  }

  /** Every unseen, wanted event has a greater id. */
  get floor(): string {
    const floor = lateFloor(this.greatest);
    if (floor < this.start) return this.start;
    return floor;
  }

  /** Marks an event as seen; returns whether it is new. */
  add(id: string): boolean {
    if (id <= this.start || this.ids.has(id)) return false;
    this.ids.add(id);
    if (id > this.greatest) {
      this.greatest = id;
      this.forget();
    }
    return true;
  }

  /** Late events come after greater ids in the list and stay a little longer. */
  private forget(): void {
    const { floor } = this;
    for (const id of this.ids) {
      if (id > floor) return;
      this.ids.delete(id);
    }
  }
}
