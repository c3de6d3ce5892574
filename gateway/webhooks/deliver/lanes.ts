import type { WorkerSettings } from "./settings.ts";

type Limits = Pick<
  WorkerSettings,
  | "concurrency"
  | "endpointConcurrency"
  | "silentEndpointConcurrency"
  | "maxHeld"
  | "maxEndpointWindow"
  | "aheadMs"
>;

interface Job {
  delivery: { endpointId: string };
}

/** How long an endpoint took to answer, in ms; `silent` when no answer came, null when it was not asked. */
export type Answered = number | "silent" | null;

interface Lane<Item> {
  waiting: Item[];
  underWay: number;
  /** How fast the endpoint answers lately; null before its first answer. */
  averageMs: number | null;
  /** Its last attempt got no answer at all. */
  isSilent: boolean;
}

/** The weight of the latest answer in the average. */
const newestWeight = 0.1;
/** Silent endpoints are remembered while idle, but not without end. */
const maxRemembered = 1000;

/**
 * One lane per endpoint: what is claimed but not yet sent, and what is under way. An endpoint that answers gets
 * work ahead of its free places, as much as it takes in a moment; a silent one gets few places, for it holds them long.
 */
export class Lanes<Item extends Job> {
  private readonly limits: Limits;
  private readonly lanes = new Map<string, Lane<Item>>();
  private underWay = 0;
  private waiting = 0;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  /** Deliveries that may be claimed now, over all endpoints. */
  get room(): number {
    return this.limits.maxHeld - this.underWay - this.waiting;
  }

  add(item: Item): void {
    this.lane(item.delivery.endpointId).waiting.push(item);
    this.waiting += 1;
  }

  /** The next item that has a free place; it is under way from now on. */
  take(): Item | null {
    if (this.underWay >= this.limits.concurrency || this.waiting === 0) return null;
    for (const [id, lane] of this.lanes) {
      if (lane.underWay >= this.concurrencyOf(lane)) continue;
      const item = lane.waiting.shift();
      if (!item) continue;
      lane.underWay += 1;
      this.underWay += 1;
      this.waiting -= 1;
      if (this.lanes.size > 1) {
        // To the end, so that lanes take turns.
        this.lanes.delete(id);
        this.lanes.set(id, lane);
      }
      return item;
    }
    return null;
  }

  /** Ends an item that was under way. Returns what waited and must go back, because the endpoint fell silent. */
  finish(endpointId: string, answered: Answered): Item[] {
    const lane = this.lane(endpointId);
    lane.underWay -= 1;
    this.underWay -= 1;
    if (answered !== null) lane.isSilent = answered === "silent";
    if (typeof answered === "number")
      lane.averageMs = answered * newestWeight + (lane.averageMs ?? answered) * (1 - newestWeight);
    const released = lane.isSilent ? this.empty(lane) : [];
    if (
      lane.underWay === 0 &&
      lane.waiting.length === 0 &&
      (!lane.isSilent || this.lanes.size > maxRemembered)
    )
      this.lanes.delete(endpointId);
    return released;
  }

  /** Whether the endpoint's work here runs out soon. */
  isLow(endpointId: string): boolean {
    const lane = this.lanes.get(endpointId);
    return !lane || lane.waiting.length <= this.windowOf(lane) / 2;
  }

  /** How many more may be claimed of each endpoint that has not the usual number of places. */
  places(): Map<string, number> {
    return new Map(
      [...this.lanes].map(([id, lane]) => [
        id,
        Math.max(this.windowOf(lane) - lane.underWay - lane.waiting.length, 0),
      ]),
    );
  }

  /** Takes back all that waits. */
  release(): Item[] {
    return [...this.lanes.values()].flatMap((lane) => this.empty(lane));
  }

  private empty(lane: Lane<Item>): Item[] {
    const items = lane.waiting;
    lane.waiting = [];
    this.waiting -= items.length;
    return items;
  }

  private lane(endpointId: string): Lane<Item> {
    const lane = this.lanes.get(endpointId) ?? {
      waiting: [],
      underWay: 0,
      averageMs: null,
      isSilent: false,
    };
    this.lanes.set(endpointId, lane);
    return lane;
  }

  private concurrencyOf({ isSilent }: Lane<Item>): number {
    return isSilent ? this.limits.silentEndpointConcurrency : this.limits.endpointConcurrency;
  }

  private windowOf(lane: Lane<Item>): number {
    const places = this.concurrencyOf(lane);
    if (lane.isSilent || lane.averageMs === null) return places;
    const ahead = Math.floor((places * this.limits.aheadMs) / Math.max(lane.averageMs, 1));
    return Math.min(places + ahead, this.limits.maxEndpointWindow);
  }
}
