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

/** How long an endpoint took to answer, in ms; `silent` when no answer came, null when nothing was sent. */
export type Answered = number | "silent" | null;

interface Queue<Item> {
  waiting: Item[];
  underWay: number;
  /** The endpoint's recent response time; null before its first answer. */
  averageMs: number | null;
  /** Whether its last attempt got no answer at all. */
  isSilent: boolean;
}

/** The weight of the latest answer in the average. */
const newestWeight = 0.1;
/** How long a silent endpoint is remembered while idle. */
const maxRemembered = 1000;

/**
 * One queue per endpoint: what is claimed but not yet sent, and what is in flight. An endpoint that answers gets work
 * ahead of its free slots, as much as it answers in a moment; a silent one gets few slots, since it blocks each for
 * long.
 */
export class EndpointQueues<Item extends Job> {
  private readonly limits: Limits;
  private readonly queues = new Map<string, Queue<Item>>();
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
    this.queueOf(item.delivery.endpointId).waiting.push(item);
    this.waiting += 1;
  }

  /** The next item whose endpoint has a free slot; it counts as in flight from now on. */
  take(): Item | null {
    if (this.underWay >= this.limits.concurrency || this.waiting === 0) return null;
    for (const [id, queue] of this.queues) {
      if (queue.underWay >= this.concurrencyOf(queue)) continue;
      const item = queue.waiting.shift();
      if (!item) continue;
      queue.underWay += 1;
      this.underWay += 1;
      this.waiting -= 1;
      if (this.queues.size > 1) {
        // Moved to the end, so that endpoints take turns.
        this.queues.delete(id);
        this.queues.set(id, queue);
      }
      return item;
    }
    return null;
  }

  /** Ends an item that was in flight. Returns the queued items to give back when the endpoint fell silent. */
  finish(endpointId: string, answered: Answered): Item[] {
    const queue = this.queueOf(endpointId);
    queue.underWay -= 1;
    this.underWay -= 1;
    if (answered !== null) queue.isSilent = answered === "silent";
    if (typeof answered === "number")
      queue.averageMs = answered * newestWeight + (queue.averageMs ?? answered) * (1 - newestWeight);
    const released = queue.isSilent ? this.empty(queue) : [];
    if (
      queue.underWay === 0 &&
      queue.waiting.length === 0 &&
      (!queue.isSilent || this.queues.size > maxRemembered)
    )
      this.queues.delete(endpointId);
    return released;
  }

  /** Whether the endpoint's queue here is about to run dry. */
  isLow(endpointId: string): boolean {
    const queue = this.queues.get(endpointId);
    return !queue || queue.waiting.length <= this.windowOf(queue) / 2;
  }

  /** How many more may be claimed for each endpoint that does not have the usual number of free slots. */
  places(): Map<string, number> {
    return new Map(
      [...this.queues].map(([id, queue]) => [
        id,
        Math.max(this.windowOf(queue) - queue.underWay - queue.waiting.length, 0),
      ]),
    );
  }

  /** Removes and returns everything that is queued. */
  release(): Item[] {
    return [...this.queues.values()].flatMap((queue) => this.empty(queue));
  }

  private empty(queue: Queue<Item>): Item[] {
    const items = queue.waiting;
    queue.waiting = [];
    this.waiting -= items.length;
    return items;
  }

  private queueOf(endpointId: string): Queue<Item> {
    const queue = this.queues.get(endpointId) ?? {
      waiting: [],
      underWay: 0,
      averageMs: null,
      isSilent: false,
    };
    this.queues.set(endpointId, queue);
    return queue;
  }

  private concurrencyOf({ isSilent }: Queue<Item>): number {
    return isSilent ? this.limits.silentEndpointConcurrency : this.limits.endpointConcurrency;
  }

  private windowOf(queue: Queue<Item>): number {
    const places = this.concurrencyOf(queue);
    if (queue.isSilent || queue.averageMs === null) return places;
    const ahead = Math.floor((places * this.limits.aheadMs) / Math.max(queue.averageMs, 1));
    return Math.min(places + ahead, this.limits.maxEndpointWindow);
  }
}
