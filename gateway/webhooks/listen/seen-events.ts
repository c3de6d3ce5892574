import { lateFloor } from "./event-ids.ts";

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
