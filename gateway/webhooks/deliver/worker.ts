import { randomBytes } from "node:crypto";
import os from "node:os";
import type pg from "pg";
import type { Logger } from "pino";
import type { BackoffSettings } from "../backoff.ts";
import { type ClaimedDelivery, claimDeliveries } from "./claim.ts";
import type { ClientPool } from "./client-pool.ts";
import type { KeyCache } from "./key-cache.ts";
import { type Answered, Lanes } from "./lanes.ts";
import { deliveryRequest } from "./request.ts";
import { attemptResult, givenUp, lostAttempt, postponed, type Result, released } from "./result.ts";
import type { ResultsWriter } from "./results-writer.ts";
import { send } from "./send.ts";
import { maxInterruptions, maxWaitMs, type WorkerSettings } from "./settings.ts";

export interface WorkerParts {
  pool: pg.Pool;
  log: Logger;
  clients: ClientPool;
  keys: KeyCache;
  writer: ResultsWriter;
  webhooks: BackoffSettings & { timeoutMs: number };
  settings: WorkerSettings;
}

interface Claimed {
  delivery: ClaimedDelivery;
  /** Fences what becomes of it. */
  owner: string;
  atMs: number;
}

/** The clocks of this process and of the database tick apart. */
const wakeMarginMs = 5;

/** Leases due deliveries, attempts each in a slot of its own and hands the results to the writer. */
export class DeliveryWorker {
  private readonly parts: WorkerParts;
  private readonly lanes: Lanes<Claimed>;
  private readonly name = `${os.hostname()}/${process.pid}/${randomBytes(6).toString("hex")}`;
  /** Breaks off each attempt that is under way. */
  private readonly attempts = new Set<() => void>();
  private running = 0;
  private readonly whenIdle = Promise.withResolvers<void>();
  private claims = 0;
  private claiming: Promise<void> | null = null;
  private wokenMeanwhile = false;
  /** The last claim left work behind for want of free places. */
  private moreIsDue = false;
  private stopping = false;
  private cursor = "";
  private isFailing = false;

  constructor(parts: WorkerParts) {
    this.parts = parts;
    this.lanes = new Lanes(parts.settings);
  }

  /** Looks for due deliveries now, or right after the look that is under way. */
  wake(): void {
    if (this.stopping) return;
    if (this.claiming) {
      this.wokenMeanwhile = true;
      return;
    }
    this.claiming = this.claimAll().finally(() => {
      this.claiming = null;
    });
  }

  /** Ends claiming, waits for attempts under way and breaks off what lasts longer than the grace. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.claiming;
    this.giveBack(this.lanes.release());
    const timer = setTimeout(() => {
      for (const breakOff of this.attempts) breakOff();
    }, this.parts.settings.stopGraceMs);
    if (this.running > 0) await this.whenIdle.promise;
    clearTimeout(timer);
  }

  private async claimAll(): Promise<void> {
    do {
      this.wokenMeanwhile = false;
      const { writer, settings } = this.parts;
      const limit = Math.min(this.lanes.room, settings.maxUnwritten - writer.waiting);
      // What was sent and not written would be sent again, once its lease has run out.
      if (limit <= 0 || writer.isFailing) {
        this.moreIsDue = true;
        return;
      }
      const places = this.lanes.places();
      const rows = await this.claim(limit, places);
      for (const row of rows) this.lanes.add(row);
      this.fill();
      this.moreIsDue = rows.length >= limit || this.leftBehind(rows, places);
    } while (this.wokenMeanwhile && !this.stopping);
  }

  /** Whether an endpoint had no place, or as many deliveries as places, when the claim was made. */
  private leftBehind(rows: readonly Claimed[], places: ReadonlyMap<string, number>): boolean {
    if ([...places.values()].includes(0)) return true;
    const perEndpoint = Map.groupBy(rows, ({ delivery }) => delivery.endpointId);
    return [...perEndpoint].some(
      ([id, claimed]) => claimed.length >= (places.get(id) ?? this.parts.settings.endpointConcurrency),
    );
  }

  private async claim(limit: number, busy: ReadonlyMap<string, number>): Promise<Claimed[]> {
    const { pool, log, settings } = this.parts;
    this.claims += 1;
    // A new owner per claim: a row that this worker lost and leased again has another fence.
    const owner = `${this.name}/${this.claims}`;
    try {
      const rows = await claimDeliveries(pool, {
        owner,
        limit,
        leaseMs: settings.leaseMs,
        endpointConcurrency: settings.endpointConcurrency,
        busy,
        afterEndpoint: this.cursor,
      });
      this.cursor = rows.at(-1)?.endpointId ?? this.cursor;
      if (this.isFailing) log.info("webhooks: the queue can be read again");
      this.isFailing = false;
      const atMs = performance.now();
      return rows.map((delivery) => ({ delivery, owner, atMs }));
    } catch (error) {
      if (!this.isFailing) log.warn({ err: error }, "webhooks: the queue cannot be read, will try again");
      this.isFailing = true;
      return [];
    }
  }

  /** Starts what is held and has a free place. */
  private fill(): void {
    for (let claimed = this.stopping ? null : this.lanes.take(); claimed; claimed = this.lanes.take()) {
      void this.run(claimed);
    }
  }

  private async run(claimed: Claimed): Promise<void> {
    this.running += 1;
    try {
      await this.deliver(claimed);
    } finally {
      this.running -= 1;
      if (this.stopping && this.running === 0) this.whenIdle.resolve();
    }
  }

  private async deliver(claimed: Claimed): Promise<void> {
    const { delivery, owner } = claimed;
    const { writer, log } = this.parts;
    if (delivery.lostAttemptAt) void writer.add(lostAttempt(delivery, delivery.lostAttemptAt));
    let result: Result;
    try {
      result = await this.attempt(claimed);
    } catch (error) {
      log.error({ err: error, delivery: delivery.id }, "webhooks: delivery postponed");
      result = postponed(delivery, owner);
    }
    this.giveBack(this.lanes.finish(delivery.endpointId, this.answered(result)));
    const written = writer.add(result);
    this.fill();
    if (this.needsMore(delivery)) this.wake();
    void written.then(() => this.afterWriting(delivery, result));
  }

  private afterWriting(delivery: ClaimedDelivery, { change }: Result): void {
    if (this.needsMore(delivery)) this.wake();
    else if (change && change.next !== "delivered") this.wakeIn(change.retry_in_ms);
  }

  /** A claim that is under way will bring more; whoever ends after it asks again. */
  private needsMore({ endpointId }: ClaimedDelivery): boolean {
    return this.moreIsDue && !this.claiming && this.lanes.isLow(endpointId);
  }

  private answered({ attempt }: Result): Answered {
    if (!attempt) return null;
    return attempt.response_status === null ? "silent" : attempt.duration_ms;
  }

  /** Others may have them now, and so may this worker as soon as that is written. */
  private giveBack(items: readonly Claimed[]): void {
    if (items.length === 0) return;
    const written = items.map(({ delivery, owner }) => this.parts.writer.add(released(delivery, owner)));
    void Promise.all(written).then(() => this.wake());
  }

  /** Only for what the poll would find late; the poll finds the rest. */
  private wakeIn(ms: number): void {
    if (ms < this.parts.settings.pollMs) setTimeout(() => this.wake(), ms + wakeMarginMs).unref();
  }

  private async attempt({ delivery, owner, atMs }: Claimed): Promise<Result> {
    const { clients, keys, webhooks } = this.parts;
    if (performance.now() - atMs > maxWaitMs) return released(delivery, owner);
    if (delivery.body === null || delivery.interruptions > maxInterruptions) return givenUp(delivery, owner);
    const opened = keys.open(delivery.secrets, delivery.endpointId);
    if (opened.length === 0) throw new Error(`Endpoint ${delivery.endpointId} has no signing secret`);
    const outgoing = deliveryRequest(delivery, delivery.body, opened);
    const startedAt = new Date();
    const outcome = await send(clients, outgoing, webhooks.timeoutMs, this.attempts);
    return attemptResult(delivery, owner, { outgoing, startedAt, outcome }, webhooks);
  }
}
