import type { Logger } from "pino";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import { isInNetworks } from "#gateway/platform/core/networks.ts";
import type { Database } from "#gateway/platform/database/database.ts";
import { type AuditEntry, recordAudit } from "../audit.ts";

/*
 * From which networks an account may be used: a list for people, one for keys, one of a key itself, and
 * CONSOLE_ALLOW_CIDRS for all sessions. Credentials are cached with the lists, and `credentials.find` asks the rule
 * for every request. Signed URLs, and work that was accepted before, are not asked.
 */

/** The part of a caller that says from where they may come. */
type Bound = Pick<Actor, "networks" | "accountNetworks" | "sessionId">;

/** The part of a refused caller that the audit log names. */
type Refused = Pick<Actor, "accountId" | "kind" | "id" | "name" | "userId"> & Bound;

export interface NetworkRule {
  /** Whether a caller may come from this address. */
  admits(caller: Bound, address: string): boolean;
  /** Notes a refused caller for the audit log of their account, and returns the 403. */
  refuse(caller: Refused, address: string): ApiError;
  close(): Promise<void>;
}

interface Sources {
  config: Pick<Config, "consoleAllowCidrs">;
  database: Database;
  log: Logger;
}

/** The rule of the networks, with its refusals. */
export function createNetworkRule({ config, database, log }: Sources): NetworkRule {
  const { consoleAllowCidrs } = config;
  const refusals = new AddressRefusals((entry) =>
    recordAudit(database.queries, entry).catch((error: unknown) =>
      log.warn({ err: error }, "a refused address could not be noted in the audit log"),
    ),
  );
  const isInConsole = ({ sessionId }: Bound, address: string) =>
    sessionId === null || isInNetworks(consoleAllowCidrs, address);
  return {
    admits: (caller, address) =>
      isInNetworks(caller.accountNetworks, address) &&
      isInNetworks(caller.networks, address) &&
      isInConsole(caller, address),
    refuse(caller, address) {
      refusals.add(caller, address);
      const what = !isInConsole(caller, address)
        ? "This console"
        : isInNetworks(caller.networks, address)
          ? "This account"
          : "This key";
      return new ApiError(
        "network_not_allowed",
        `${what} may be used only from certain networks, and your address, ${address}, is in none of them.`,
      );
    },
    close: () => refusals.close(),
  };
}

/** How long refusals of one caller are added up. */
const periodMs = 600_000;
const checkEveryMs = 30_000;
/** Addresses that a row of the audit log names at most. */
const maxAddresses = 20;
/** Callers that are added up at once; the refusals of others are not noted. */
const maxCallers = 1_000;

interface Sum {
  entry: AuditEntry;
  since: number;
  count: number;
  addresses: Set<string>;
}

/**
 * Notes refused callers in the audit log: the first refusal of a key or person at once, all later ones within ten
 * minutes as one row with their number and addresses. So a flood writes two rows, not one for each request.
 */
export class AddressRefusals {
  private readonly sums = new Map<string, Sum>();
  private writing: Promise<unknown> = Promise.resolve();
  private readonly record: (entry: AuditEntry) => Promise<unknown>;
  private readonly timer: NodeJS.Timeout;

  constructor(record: (entry: AuditEntry) => Promise<unknown>) {
    this.record = record;
    this.timer = setInterval(() => this.writeSums(clock.now() - periodMs), checkEveryMs);
    this.timer.unref();
  }

  add({ accountId, kind, id, name, userId }: Refused, address: string): void {
    const caller = `${accountId} ${id}`;
    const sum = this.sums.get(caller);
    if (sum) {
      sum.count += 1;
      if (sum.addresses.size < maxAddresses) sum.addresses.add(address);
    } else if (this.sums.size < maxCallers) {
      const actor = { kind, id, name, userId };
      const entry = { accountId, actor, action: "account.address_refused", targetId: id } as const;
      this.write({ ...entry, ip: address });
      this.sums.set(caller, { entry, since: clock.now(), count: 0, addresses: new Set() });
    }
  }

  private writeSums(until: number): void {
    for (const [caller, { entry, since, count, addresses }] of this.sums) {
      if (since > until) continue;
      this.sums.delete(caller);
      if (count > 0) this.write({ ...entry, detail: { count, addresses: [...addresses] } });
    }
  }

  private write(entry: AuditEntry): void {
    this.writing = Promise.all([this.writing, this.record(entry)]);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    this.writeSums(Number.POSITIVE_INFINITY);
    await this.writing;
  }
}
