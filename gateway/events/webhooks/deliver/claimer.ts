import { randomBytes } from "node:crypto";
import os from "node:os";
import type pg from "pg";
import type { Logger } from "pino";
import { type ClaimedDelivery, claimDeliveries } from "./claim-deliveries.ts";
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

interface Free {
  limit: number;
  /** Of endpoints that this worker is busy with. */
  places: ReadonlyMap<string, number>;
  /** Of accounts that this worker is busy with. */
  accountRooms: ReadonlyMap<string, number>;
}

/** Leases due deliveries for one worker; accounts take turns from claim to claim, and in each its endpoints. */
export class Claimer {
  private readonly parts: ClaimingParts;
  private readonly worker = `${os.hostname()}/${process.pid}/${randomBytes(6).toString("hex")}`;
  private claims = 0;
  private last = { accountId: "", endpointId: "" };
  private isFailing = false;

  constructor(parts: ClaimingParts) {
    this.parts = parts;
  }

  /** At most `limit`, per account its share and per endpoint its free slots; none while the database is unavailable. */
  async claim({ limit, places, accountRooms }: Free): Promise<Claimed[]> {
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

  /** Whether an account or endpoint had no free slot, or as many deliveries as slots, when the claim was made. */
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

/** How many were claimed at most of an endpoint that this worker was not busy with. */
function slotsOf([first]: readonly Claimed[], endpointConcurrency: number): number {
  return Math.min(endpointConcurrency, first?.delivery.ratePerSecond ?? endpointConcurrency);
}
