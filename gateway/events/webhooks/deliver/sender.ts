import type { KeyObject } from "node:crypto";
import type { Logger } from "pino";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Telemetry } from "#gateway/platform/telemetry/telemetry.ts";
import type { BackoffSettings } from "../backoff.ts";
import type { OwnHeaders } from "../endpoints/own-headers.ts";
import type { OpenedPair } from "../secrets.ts";
import type { SigningKey } from "../sign.ts";
import {
  type AttemptResult,
  attemptResult,
  givenUp,
  lostAttempt,
  lostConnection,
  postponed,
  released,
} from "./attempt-result.ts";
import type { ClaimedDelivery } from "./claim-deliveries.ts";
import type { Claimed } from "./claimer.ts";
import type { ClientPool } from "./client-pool.ts";
import { postEvent } from "./post-event.ts";
import { deliveryRequest } from "./request.ts";
import type { ResultQueue } from "./result-queue.ts";
import { maxInterruptions, maxWaitMs } from "./settings.ts";

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

/** The private keys of the delivery's endpoint that sign now. */
function signing(
  cache: SealedCache<OpenedPair[]>,
  { pairs, endpointId }: Pick<ClaimedDelivery, "pairs" | "endpointId">,
): KeyObject[] {
  const nowMs = clock.now();
  return cache.open(pairs ?? "[]", endpointId).flatMap(({ key, untilMs }) => (untilMs > nowMs ? key : []));
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
