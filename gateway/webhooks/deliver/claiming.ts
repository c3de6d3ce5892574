import { randomBytes } from "node:crypto";
import os from "node:os";
import type pg from "pg";
import type { Logger } from "pino";
import { type ClaimedDelivery, claimDeliveries } from "./claim.ts";
import type { WorkerSettings } from "./settings.ts";

/** A delivery that this worker may send. */
export interface Claimed {
  delivery: ClaimedDelivery;
  /** The fencing token: a result is saved only while this owner has the lease. */
  owner: string;
  atMs: number;
}

interface ClaimingParts {
  pool: pg.Pool;
  log: Logger;
  settings: WorkerSettings;
}

/** Leases due deliveries for one worker; endpoints take turns from claim to claim. */
export class Claiming {
  private readonly parts: ClaimingParts;
  private readonly worker = `${os.hostname()}/${process.pid}/${randomBytes(6).toString("hex")}`;
  private claims = 0;
  private cursor = "";
  private isFailing = false;

  constructor(parts: ClaimingParts) {
    this.parts = parts;
  }

  /** At most `limit`, and per endpoint as many as it has free slots; none while the database is unavailable. */
  async claim(limit: number, places: ReadonlyMap<string, number>): Promise<Claimed[]> {
    const { pool, log, settings } = this.parts;
    this.claims += 1;
    // A new owner per claim, so that a row that this worker lost and leased again has a new fencing token.
    const owner = `${this.worker}/${this.claims}`;
    try {
      const rows = await claimDeliveries(pool, {
        owner,
        limit,
        leaseMs: settings.leaseMs,
        endpointConcurrency: settings.endpointConcurrency,
        busy: places,
        afterEndpoint: this.cursor,
      });
      this.cursor = rows.at(-1)?.endpointId ?? this.cursor;
      if (this.isFailing) log.info("webhooks: the queue can be read again");
      this.isFailing = false;
      const atMs = performance.now();
      return rows.map((delivery) => ({ delivery, owner, atMs }));
    } catch (error) {
      if (!this.isFailing) log.warn({ err: error }, "webhooks: the queue cannot be read, will retry");
      this.isFailing = true;
      return [];
    }
  }

  /** Whether an endpoint had no free slot, or as many deliveries as slots, when the claim was made. */
  leftBehind(claimed: readonly Claimed[], places: ReadonlyMap<string, number>): boolean {
    if ([...places.values()].includes(0)) return true;
    const { endpointConcurrency } = this.parts.settings;
    const perEndpoint = Map.groupBy(claimed, ({ delivery }) => delivery.endpointId);
    return [...perEndpoint].some(([id, of]) => of.length >= (places.get(id) ?? endpointConcurrency));
  }
}
