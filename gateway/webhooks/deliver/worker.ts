import { randomBytes } from "node:crypto";
import os from "node:os";
import type pg from "pg";
import type { Logger } from "pino";
import type { BackoffSettings } from "../backoff.ts";
import type { SecretBox } from "../secrets.ts";
import { type ClaimedDelivery, claimDeliveries } from "./claim.ts";
import type { ClientPool } from "./client-pool.ts";
import { deliveryRequest } from "./request.ts";
import { attemptResult, givenUp, lostAttempt, postponed, type Result } from "./result.ts";
import type { ResultsWriter } from "./results-writer.ts";
import { send } from "./send.ts";
import { maxInterruptions, type WorkerSettings } from "./settings.ts";
import { Slots } from "./slots.ts";

export interface WorkerParts {
  pool: pg.Pool;
  log: Logger;
  clients: ClientPool;
  secrets: SecretBox;
  writer: ResultsWriter;
  webhooks: BackoffSettings & { timeoutMs: number };
  settings: WorkerSettings;
}

/** The clocks of this process and of the database tick apart. */
const wakeMarginMs = 5;

/** Leases due deliveries, attempts each in a slot of its own and hands the results to the writer. */
export class DeliveryWorker {
  private readonly parts: WorkerParts;
  private readonly slots: Slots;
  private readonly name = `${os.hostname()}/${process.pid}/${randomBytes(6).toString("hex")}`;
  private readonly stopped = new AbortController();
  private readonly underWay = new Set<Promise<void>>();
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
    this.slots = new Slots(parts.settings);
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
    const timer = setTimeout(() => this.stopped.abort(), this.parts.settings.stopGraceMs);
    await Promise.all(this.underWay);
    clearTimeout(timer);
  }

  private async claimAll(): Promise<void> {
    do {
      this.wokenMeanwhile = false;
      const limit = Math.min(this.slots.free, this.parts.settings.maxUnwritten - this.parts.writer.waiting);
      if (limit <= 0) {
        this.moreIsDue = true;
        return;
      }
      const rows = await this.claim(limit);
      for (const row of rows) this.begin(row.delivery, row.owner);
      this.moreIsDue =
        rows.length >= limit || rows.some(({ delivery }) => this.slots.isFull(delivery.endpointId));
    } while (this.wokenMeanwhile && !this.stopping);
  }

  private async claim(limit: number): Promise<{ delivery: ClaimedDelivery; owner: string }[]> {
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
        busy: this.slots.freePlaces(),
        afterEndpoint: this.cursor,
      });
      this.cursor = rows.at(-1)?.endpointId ?? this.cursor;
      if (this.isFailing) log.info("webhooks: the queue can be read again");
      this.isFailing = false;
      return rows.map((delivery) => ({ delivery, owner }));
    } catch (error) {
      if (!this.isFailing) log.warn({ err: error }, "webhooks: the queue cannot be read, will try again");
      this.isFailing = true;
      return [];
    }
  }

  private begin(delivery: ClaimedDelivery, owner: string): void {
    this.slots.take(delivery.endpointId);
    const work = this.run(delivery, owner).finally(() => this.underWay.delete(work));
    this.underWay.add(work);
  }

  private async run(delivery: ClaimedDelivery, owner: string): Promise<void> {
    const { writer, log } = this.parts;
    if (delivery.lostAttemptAt) void writer.add(lostAttempt(delivery, delivery.lostAttemptAt));
    let result: Result;
    try {
      result = await this.attempt(delivery, owner);
    } catch (error) {
      log.error({ err: error, delivery: delivery.id }, "webhooks: delivery postponed");
      result = postponed(delivery, owner);
    }
    this.slots.release(delivery.endpointId, !result.attempt || result.attempt.response_status !== null);
    const written = writer.add(result);
    if (this.moreIsDue) this.wake();
    await written;
    if (this.moreIsDue) this.wake();
    else if (result.change && result.change.next !== "delivered") this.wakeIn(result.change.retry_in_ms);
  }

  /** Only for what the poll would find late; the poll finds the rest. */
  private wakeIn(ms: number): void {
    if (ms < this.parts.settings.pollMs) setTimeout(() => this.wake(), ms + wakeMarginMs).unref();
  }

  private async attempt(delivery: ClaimedDelivery, owner: string): Promise<Result> {
    const { clients, secrets, webhooks } = this.parts;
    if (delivery.body === null || delivery.interruptions > maxInterruptions) return givenUp(delivery, owner);
    const opened = delivery.secrets.map((sealed) => secrets.open(sealed, delivery.endpointId));
    if (opened.length === 0) throw new Error(`Endpoint ${delivery.endpointId} has no signing secret`);
    const outgoing = deliveryRequest(delivery, delivery.body, opened);
    const startedAt = new Date();
    const outcome = await send(clients, outgoing, webhooks.timeoutMs, this.stopped.signal);
    return attemptResult(delivery, owner, { outgoing, startedAt, outcome }, webhooks);
  }
}
