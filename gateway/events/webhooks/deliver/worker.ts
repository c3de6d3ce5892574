import type { KeyObject } from "node:crypto";
import type { Logger } from "pino";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Drain } from "#gateway/platform/core/drain.ts";
import type { Limit, Limiter } from "#gateway/platform/limits/limiter.ts";
import type { Telemetry } from "#gateway/platform/telemetry/telemetry.ts";
import type { OwnHeaders } from "../endpoints/own-headers.ts";
import type { OpenedPair } from "../secrets.ts";
import { deliveryRequest, type SigningKey } from "../sign.ts";
import {
  type AttemptResult,
  attemptResult,
  type BackoffSettings,
  givenUp,
  lostAttempt,
  lostConnection,
  postponed,
  released,
} from "./attempt-result.ts";
import type { Claimed, ClaimedDelivery, Claimer } from "./claim-deliveries.ts";
import { type Answered, EndpointQueues } from "./endpoint-queues.ts";
import { type ClientPool, postEvent } from "./post-event.ts";
import type { ResultQueue } from "./result-queue.ts";
import { maxInterruptions, maxWaitMs, type WorkerSettings } from "./settings.ts";

interface WorkerParts {
  claimer: Claimer;
  sender: Sender;
  writer: ResultQueue;
  pacer: Pacer;
  settings: WorkerSettings;
  drain: Pick<Drain, "isPaused">;
}

/** Margin for the difference between this process's clock and the database's. */
const wakeMarginMs = 5;

/** Claims due deliveries into the endpoints' queues, sends each in turn and passes the results to the writer. */
export class DeliveryWorker {
  private readonly parts: WorkerParts;
  private readonly queues: EndpointQueues<Claimed>;
  private running = 0;
  private readonly whenIdle = Promise.withResolvers<void>();
  private claimingNow: Promise<void> | null = null;
  private wokenMeanwhile = false;
  /** Whether the last claim left work behind because no slot was free. */
  private moreIsDue = false;
  private stopping = false;

  constructor(parts: WorkerParts) {
    this.parts = parts;
    this.queues = new EndpointQueues(parts.settings);
  }

  /** Claims due deliveries now, or right after the current claim. */
  wake(): void {
    if (this.stopping) return;
    if (this.claimingNow) {
      this.wokenMeanwhile = true;
      return;
    }
    this.claimingNow = this.claimAll().finally(() => {
      this.claimingNow = null;
    });
  }

  /** Deliveries that are being sent or wait in this process. */
  get inHand(): number {
    return this.running + this.queues.held;
  }

  /** Stops the claimer, waits for attempts in flight and aborts those that exceed the grace period. */
  async stop(): Promise<void> {
    const { sender, settings } = this.parts;
    this.stopping = true;
    await this.claimingNow;
    this.giveBack(this.queues.release());
    const timer = setTimeout(() => sender.breakOff(), settings.stopGraceMs);
    if (this.running > 0) await this.whenIdle.promise;
    clearTimeout(timer);
  }

  private async claimAll(): Promise<void> {
    const { claimer, writer, settings, drain } = this.parts;
    do {
      if (drain.isPaused) return;
      this.wokenMeanwhile = false;
      const limit = Math.min(this.queues.room, settings.maxUnwritten - writer.waiting);
      // Nothing is claimed while results are unsaved: new deliveries would be sent twice after their leases
      // expire.
      if (limit <= 0 || writer.isFailing) {
        this.moreIsDue = true;
        return;
      }
      const free = { places: this.queues.places(), accountRooms: this.queues.accountRooms() };
      const claimed = await claimer.claim({ limit, ...free });
      for (const one of claimed) this.queues.add(one);
      this.fill();
      this.moreIsDue = claimed.length >= limit || claimer.leftBehind(claimed, free);
    } while (this.wokenMeanwhile && !this.stopping);
  }

  /** Starts queued deliveries for which a slot is free. */
  private fill(): void {
    for (let claimed = this.stopping ? null : this.queues.take(); claimed; claimed = this.queues.take()) {
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
    const { delivery } = claimed;
    const { sender, writer } = this.parts;
    if (delivery.ratePerSecond !== null && !(await this.keepsRate(claimed, delivery.ratePerSecond))) return;
    const result = await sender.send(claimed);
    this.giveBack(this.queues.finish(claimed, answered(result)));
    const written = writer.add(result);
    this.fill();
    if (this.needsMore(delivery)) this.wake();
    void written.then(() => this.afterWriting(delivery, result));
  }

  /** Whether a delivery may be sent now; otherwise it is queued again until its endpoint's rate allows the next. */
  private async keepsRate(claimed: Claimed, ratePerSecond: number): Promise<boolean> {
    // This delivery has waited too long and will be released unsent, so it must not use up the rate.
    if (performance.now() - claimed.atMs > maxWaitMs) return true;
    const waitMs = await this.parts.pacer.waitMs(claimed.delivery, ratePerSecond);
    if (waitMs === 0) return true;
    if (this.stopping) this.giveBack(this.queues.finish(claimed, null).concat(claimed));
    else if (this.queues.putBack(claimed, waitMs))
      setTimeout(() => this.fill(), waitMs + wakeMarginMs).unref();
    return false;
  }

  private afterWriting(delivery: ClaimedDelivery, { change }: AttemptResult): void {
    if (this.needsMore(delivery)) this.wake();
    else if (change && change.next !== "delivered") this.wakeIn(change.retry_in_ms);
  }

  /** Whether to claim more work now. False while a claim is running, because that claim brings more work. */
  private needsMore({ endpointId }: ClaimedDelivery): boolean {
    return this.moreIsDue && !this.claimingNow && this.queues.isLow(endpointId);
  }

  /** Releases deliveries: any worker, this one included, may claim them once that is saved. */
  private giveBack(items: readonly Claimed[]): void {
    if (items.length === 0) return;
    const written = items.map(({ delivery, owner }) => this.parts.writer.add(released(delivery, owner)));
    void Promise.all(written).then(() => this.wake());
  }

  /** Sets a timer only if the next poll would be too late. */
  private wakeIn(ms: number): void {
    if (ms < this.parts.settings.pollMs) setTimeout(() => this.wake(), ms + wakeMarginMs).unref();
  }
}

function answered({ attempt }: AttemptResult): Answered {
  if (!attempt) return null;
  return attempt.response_status === null ? "silent" : attempt.duration_ms;
}

interface SendingParts {
  log: Logger;
  telemetry: Telemetry | null;
  clients: ClientPool;
  keys: SealedCache<SigningKey[]>;
  pairs: SealedCache<OpenedPair[]>;
  headers: SealedCache<OwnHeaders>;
  writer: ResultQueue;
  webhooks: BackoffSettings & { timeoutMs: number };
}

/** Makes the attempts of one worker. Attempts that do not count are passed directly to the writer. */
export class Sender {
  private readonly parts: SendingParts;
  /** Functions that abort the attempts in flight. */
  private readonly underWay = new Set<() => void>();

  constructor(parts: SendingParts) {
    this.parts = parts;
  }

  /** Makes one attempt; returns it with the delivery's next state. Never throws. */
  async send(claimed: Claimed): Promise<AttemptResult> {
    const { delivery, owner } = claimed;
    const { writer, log } = this.parts;
    if (delivery.lostLeaseAt) void writer.add(lostAttempt(delivery, delivery.lostLeaseAt));
    try {
      return await this.attempt(claimed);
    } catch (error) {
      log.error({ err: error, delivery: delivery.id }, "webhooks: delivery postponed");
      return postponed(delivery, owner);
    }
  }

  breakOff(): void {
    for (const breakOff of this.underWay) breakOff();
  }

  private async attempt({ delivery, owner, atMs }: Claimed): Promise<AttemptResult> {
    const { clients, keys, pairs, headers, webhooks, writer, telemetry } = this.parts;
    if (performance.now() - atMs > maxWaitMs) return released(delivery, owner);
    if (delivery.isClosed || delivery.body === null || delivery.interruptions > maxInterruptions)
      return givenUp(delivery, owner);
    const opened = keys.open(delivery.secrets, delivery.signer);
    if (opened.length === 0) throw new Error(`Endpoint ${delivery.endpointId} has no signing secret`);
    const own = delivery.headers === null ? null : headers.open(delivery.headers, delivery.endpointId);
    const traced =
      telemetry?.attempt(delivery.traceParent, delivery.attempts + 1, {
        "gatehouse.account.id": delivery.accountId,
        "gatehouse.endpoint.id": delivery.endpointId,
        "gatehouse.event.id": delivery.eventId,
        "gatehouse.delivery.id": delivery.id,
      }) ?? null;
    const signers = { keys: opened, pairs: delivery.pairs === null ? [] : signing(pairs, delivery) };
    const outgoing = deliveryRequest(delivery, delivery.body, signers, own, traced?.headers);
    const { lost, ...sent } = await postEvent(clients, outgoing, webhooks.timeoutMs, this.underWay);
    const { status, errorCode } = sent.outcome;
    traced?.end(errorCode, { "http.response.status_code": status ?? undefined });
    if (lost) void writer.add(lostConnection(delivery, { outgoing, ...lost }));
    return attemptResult(delivery, owner, { outgoing, ...sent }, webhooks);
  }
}

const maxKept = 1000;

/** Opens the sealed data of endpoints once instead of once per attempt. Throws as `open` does. */
export class SealedCache<Opened> {
  private readonly make: (sealed: string, endpointId: string) => Opened;
  private readonly kept = new Map<string, Opened>();

  constructor(make: (sealed: string, endpointId: string) => Opened) {
    this.make = make;
  }

  /** `sealed`: the JSON from a claim. */
  open(sealed: string, endpointId: string): Opened {
    const known = this.kept.get(sealed);
    if (known) return known;
    const opened = this.make(sealed, endpointId);
    if (this.kept.size >= maxKept) this.kept.clear();
    this.kept.set(sealed, opened);
    return opened;
  }
}

/** The private keys of the delivery's endpoint that sign now. */
function signing(
  cache: SealedCache<OpenedPair[]>,
  { pairs, endpointId }: Pick<ClaimedDelivery, "pairs" | "endpointId">,
): KeyObject[] {
  const nowMs = clock.now();
  return cache.open(pairs ?? "[]", endpointId).flatMap(({ key, untilMs }) => (untilMs > nowMs ? key : []));
}

/** How long an endpoint with a rate waits when its count cannot be read. */
const unknownMs = 1000;
/**
 * Deliveries that may start together, as a fraction of a second: a high rate then needs few queries, and a
 * low one leases nothing in advance.
 */
const burstSeconds = 0.1;

/** Enforces the rates of endpoints, over all processes together. */
export class Pacer {
  private readonly limiter: Limiter;
  private readonly log: Logger;

  constructor(limiter: Limiter, log: Logger) {
    this.limiter = limiter;
    this.log = log;
  }

  /** 0 if this delivery may be sent now, which is then counted; otherwise how long its endpoint waits. */
  async waitMs({ endpointId }: ClaimedDelivery, ratePerSecond: number): Promise<number> {
    try {
      const taken = await this.limiter.take(endpointId, limitOf(ratePerSecond));
      return taken.allowed ? 0 : Math.max(1, taken.retryAfterMs);
    } catch (error) {
      this.log.warn({ err: error }, "webhooks: the rate of an endpoint cannot be counted, will retry");
      return unknownMs;
    }
  }
}

function limitOf(ratePerSecond: number): Limit {
  const count = Math.max(1, Math.floor(ratePerSecond * burstSeconds));
  return { name: "endpoint deliveries", count, periodMs: (count * 1000) / ratePerSecond };
}
