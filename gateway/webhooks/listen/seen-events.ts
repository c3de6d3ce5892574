import { encodeTime } from "ulid";
import { idPrefixes, isId, timeOfId } from "#contract/ids.ts";

/** An id is made before its transaction commits, so a smaller one may show up after a greater one. */
const lateCommitMs = 10_000;
const ulidTimeLength = 10;
const greatestFirstDigit = "7";

/** Whether it has the form of an event's id and a time that a ULID can hold: 50 bits of digits, 48 of time. */
export function isEventId(value: unknown): value is string {
  return isId("event", value) && value.charAt(idPrefixes.event.length + 1) <= greatestFirstDigit;
}

/** No event of this time or later has a smaller id. */
export function idFloor(atMs: number): string {
  const time = encodeTime(Math.max(0, atMs), ulidTimeLength).toLowerCase();
  return `${idPrefixes.event}_${time}${"0".repeat(16)}`;
}

/** Where to look again for events that committed after event `id`. */
export function lateFloor(id: string): string {
  return idFloor(timeOfId(id) - lateCommitMs);
}

/** Which events were seen, as far back as one may still come: it does not grow with the stream. */
export class SeenEvents {
  /** Nothing up to this id is wanted. */
  private readonly start: string;
  private greatest: string;
  private readonly ids = new Set<string>();

  constructor(start: string, greatest = start) {
    this.start = start;
    this.greatest = greatest;
  }

  /** The greatest id so far: where to go on. */
  get newest(): string {
    return this.greatest;
  }

  /** Every event that is wanted and not seen yet has a greater id. */
  get floor(): string {
    const floor = lateFloor(this.greatest);
    if (floor < this.start) return this.start;
    return floor;
  }

  /** Notes an event; whether it is a new one. */
  add(id: string): boolean {
    if (id <= this.start || this.ids.has(id)) return false;
    this.ids.add(id);
    if (id > this.greatest) {
      this.greatest = id;
      this.forget();
    }
    return true;
  }

  /** Late ones stand behind greater ones and stay a little longer. */
  private forget(): void {
    const { floor } = this;
    for (const id of this.ids) {
      if (id > floor) return;
      this.ids.delete(id);
    }
  }
}
