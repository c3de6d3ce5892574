import { fairShare } from "#gateway/platform/core/fair-queue.ts";
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
  delivery: { accountId: string; endpointId: string; ratePerSecond?: number | null };
}

/** An endpoint's response time in ms; `silent` if it did not answer, null if nothing was sent. */
export type Answered = number | "silent" | null;

interface Queue<Item> {
  account: Account<Item>;
  waiting: Item[];
  underWay: number;
  /** The endpoint's recent response time; null before its first answer. */
  averageMs: number | null;
  /** Whether the endpoint's last attempt got no answer at all. */
  isSilent: boolean;
  /** Its deliveries per second; infinite without a limit. */
  rate: number;
  /** The endpoint's rate allows no delivery until this time of `performance.now()`. */
  closedUntilMs: number;
}

interface Account<Item> {
  /** The queues by endpoint; the first endpoint has the next turn. */
  queues: Map<string, Queue<Item>>;
  waiting: number;
  underWay: number;
}

/** The weight of the latest answer in the average. */
const newestWeight = 0.1;
/**
 * Seconds of work claimed for an endpoint with a rate limit: less than `maxWaitMs`, so that the work can be
 * sent in time.
 */
const pacedSeconds = 2;
/** At most this many silent endpoints without work are remembered as silent. */
const maxRemembered = 1000;

/**
 * One queue per endpoint: deliveries claimed but not yet sent, and those in flight. Accounts take turns, and
 * within an account its endpoints; no account gets more than its fair share of the slots. An endpoint that
 * answers gets work ahead of its free slots, as much as it answers in a moment; a silent one gets few slots,
 * because it blocks each for a long time.
 */
export class EndpointQueues<Item extends Job> {
  private readonly limits: Limits;
  private readonly queues = new Map<string, Queue<Item>>();
  /** The first account has the next turn. */
  private readonly accounts = new Map<string, Account<Item>>();
  private underWay = 0;
  private waiting = 0;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  /** Deliveries that wait here to be sent. */
  get held(): number {
    return this.waiting;
  }

  /** Deliveries that may be claimed now, over all endpoints. */
  get room(): number {
    return this.limits.maxHeld - this.underWay - this.waiting;
  }

  add(item: Item): void {
    const queue = this.queueOf(item);
    queue.rate = item.delivery.ratePerSecond ?? Number.POSITIVE_INFINITY;
    queue.waiting.push(item);
    queue.account.waiting += 1;
    this.waiting += 1;
  }

  /** Takes the next item whose endpoint has a free slot; it counts as in flight from now on. */
  take(): Item | null {
    const free = this.limits.concurrency - this.underWay;
    if (free <= 0 || this.waiting === 0) return null;
    for (const [accountId, account] of this.accounts) {
      if (account.waiting === 0 || fairShare(free, account.underWay) === 0) continue;
      for (const [endpointId, queue] of account.queues) {
        if (queue.underWay >= this.concurrencyOf(queue) || isClosed(queue)) continue;
        const item = queue.waiting.shift();
        if (!item) continue;
        queue.underWay += 1;
        account.underWay += 1;
        account.waiting -= 1;
        this.underWay += 1;
        this.waiting -= 1;
        moveToEnd(account.queues, endpointId, queue);
        moveToEnd(this.accounts, accountId, account);
        return item;
      }
    }
    return null;
  }

  /**
   * Ends an item that was in flight. If the endpoint fell silent, returns its queued items, to be released.
   */
  finish(item: Item, answered: Answered): Item[] {
    const { accountId, endpointId } = item.delivery;
    const queue = this.queueOf(item);
    const { account } = queue;
    queue.underWay -= 1;
    account.underWay -= 1;
    this.underWay -= 1;
    if (answered !== null) queue.isSilent = answered === "silent";
    if (typeof answered === "number")
      queue.averageMs = answered * newestWeight + (queue.averageMs ?? answered) * (1 - newestWeight);
    const released = queue.isSilent ? this.empty(queue) : [];
    if (
      queue.underWay === 0 &&
      queue.waiting.length === 0 &&
      (!queue.isSilent || this.queues.size > maxRemembered)
    ) {
      this.queues.delete(endpointId);
      account.queues.delete(endpointId);
      if (account.queues.size === 0) this.accounts.delete(accountId);
    }
    return released;
  }

  /**
   * Queues a taken item again: its endpoint gets nothing for `waitMs`. Returns true if the caller must take
   * an item after this time; false if an earlier caller already waits for that.
   */
  putBack(item: Item, waitMs: number): boolean {
    const queue = this.queueOf(item);
    queue.underWay -= 1;
    queue.account.underWay -= 1;
    this.underWay -= 1;
    queue.waiting.unshift(item);
    queue.account.waiting += 1;
    this.waiting += 1;
    if (isClosed(queue)) return false;
    queue.closedUntilMs = performance.now() + waitMs;
    return true;
  }

  /** Whether the endpoint's queue here is nearly empty. */
  isLow(endpointId: string): boolean {
    const queue = this.queues.get(endpointId);
    return !queue || queue.waiting.length <= this.windowOf(queue) / 2;
  }

  /**
   * How many more deliveries may be claimed for each endpoint that does not have the usual number of free
   * slots.
   */
  places(): Map<string, number> {
    return new Map(
      [...this.queues].map(([id, queue]) => [
        id,
        Math.max(this.windowOf(queue) - queue.underWay - queue.waiting.length, 0),
      ]),
    );
  }

  /** How many more deliveries may be claimed for each account that already has some here. */
  accountRooms(): Map<string, number> {
    return new Map(
      [...this.accounts].map(([id, { underWay, waiting }]) => [id, fairShare(this.room, underWay + waiting)]),
    );
  }

  /** Removes and returns everything that is queued. */
  release(): Item[] {
    return [...this.queues.values()].flatMap((queue) => this.empty(queue));
  }

  private empty(queue: Queue<Item>): Item[] {
    const items = queue.waiting;
    queue.waiting = [];
    queue.account.waiting -= items.length;
    this.waiting -= items.length;
    return items;
  }

  private queueOf({ delivery: { accountId, endpointId } }: Item): Queue<Item> {
    const known = this.queues.get(endpointId);
    if (known) return known;
    const account = this.accounts.get(accountId) ?? { queues: new Map(), waiting: 0, underWay: 0 };
    const queue: Queue<Item> = {
      account,
      waiting: [],
      underWay: 0,
      averageMs: null,
      isSilent: false,
      rate: Number.POSITIVE_INFINITY,
      closedUntilMs: 0,
    };
    this.accounts.set(accountId, account);
    account.queues.set(endpointId, queue);
    this.queues.set(endpointId, queue);
    return queue;
  }

  private concurrencyOf({ isSilent }: Queue<Item>): number {
    return isSilent ? this.limits.silentEndpointConcurrency : this.limits.endpointConcurrency;
  }

  private windowOf(queue: Queue<Item>): number {
    return Math.min(this.unpacedWindowOf(queue), Math.ceil(queue.rate * pacedSeconds));
  }

  private unpacedWindowOf(queue: Queue<Item>): number {
    const places = this.concurrencyOf(queue);
    if (queue.isSilent || queue.averageMs === null) return places;
    const ahead = Math.floor((places * this.limits.aheadMs) / Math.max(queue.averageMs, 1));
    return Math.min(places + ahead, this.limits.maxEndpointWindow);
  }
}

function isClosed({ closedUntilMs }: { closedUntilMs: number }): boolean {
  return closedUntilMs > 0 && closedUntilMs > performance.now();
}

/** Moves the entry to the end, so that its next turn comes after all others. */
function moveToEnd<Value>(map: Map<string, Value>, key: string, value: Value): void {
  if (map.size === 1) return;
  map.delete(key);
  map.set(key, value);
}
