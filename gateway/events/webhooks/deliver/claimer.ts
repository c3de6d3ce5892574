import { randomBytes } from "node:crypto";
import os from "node:os";
import type pg from "pg";
import type { Logger } from "pino";
import { type ClaimedDelivery, claimDeliveries } from "./claim-deliveries.ts";
import type { WorkerSettings } from "./settings.ts";

/** A delivery that this worker has claimed. */
export interface Claimed {
  delivery: ClaimedDelivery;
  /** The fencing token: a result is saved only while this owner holds the lease. */
  owner: string;
  atMs: number;
}

interface ClaimingParts {
  pool: pg.Pool;
  log: Logger;
  settings: WorkerSettings;
}

interface Free {
  limit: number;
  /** The free slots of each endpoint that this worker is sending to. */
  places: ReadonlyMap<string, number>;
  /** The free slots of each account that this worker is sending for. */
  accountRooms: ReadonlyMap<string, number>;
}

/**
 * Leases due deliveries for one worker; from claim to claim the accounts take turns, and within each its
 * endpoints.
 */
export class Claimer {
  private readonly parts: ClaimingParts;
  private readonly worker = `${os.hostname()}/${process.pid}/${randomBytes(6).toString("hex")}`;
  private claims = 0;
  private last = { accountId: "", endpointId: "" };
  private isFailing = false;

  constructor(parts: ClaimingParts) {
    this.parts = parts;
  }

  /**
   * Claims at most `limit` deliveries, up to each account's share and each endpoint's free slots; none while
   * the database is unavailable.
   */
  async claim({ limit, places, accountRooms }: Free): Promise<Claimed[]> {
    const { pool, log, settings } = this.parts;
    this.claims += 1;
    // Each claim has a new owner, so that a row that this worker lost and leased again gets a new fencing
    // token.
    const owner = `${this.worker}/${this.claims}`;
    try {
      const rows = await claimDeliveries(pool, {
        owner,
        limit,
        leaseMs: settings.leaseMs,
        endpointConcurrency: settings.endpointConcurrency,
        busy: places,
        accountRooms,
        after: this.last,
      });
      this.last = rows.at(-1) ?? this.last;
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

  /**
   * Whether work may remain: an account or endpoint had no free slot at the claim, or filled all of its
   * slots.
   */
  leftBehind(claimed: readonly Claimed[], { places, accountRooms }: Omit<Free, "limit">): boolean {
    if ([...places.values(), ...accountRooms.values()].includes(0)) return true;
    const { endpointConcurrency } = this.parts.settings;
    const perEndpoint = Map.groupBy(claimed, ({ delivery }) => delivery.endpointId);
    if (
      [...perEndpoint].some(([id, of]) => of.length >= (places.get(id) ?? slotsOf(of, endpointConcurrency)))
    )
      return true;
    const perAccount = Map.groupBy(claimed, ({ delivery }) => delivery.accountId);
    return [...perAccount.values()].some((of) => of.length >= (of[0]?.delivery.accountRoom ?? 0));
  }
}

/** The most that one claim takes for an endpoint that this worker was not sending to. */
function slotsOf([first]: readonly Claimed[], endpointConcurrency: number): number {
  return Math.min(endpointConcurrency, first?.delivery.ratePerSecond ?? endpointConcurrency);
}
