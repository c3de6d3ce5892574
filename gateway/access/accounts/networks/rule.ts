import type { Logger } from "pino";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import { isInNetworks } from "#gateway/platform/core/networks.ts";
import type { Database } from "#gateway/platform/database/database.ts";
import { type AuditEntry, recordAudit } from "../audit.ts";
import { AuditSums } from "../audit-sums.ts";

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

/** Notes refused callers in the audit log of their account. */
export class AddressRefusals {
  readonly #sums: AuditSums;

  constructor(record: (entry: AuditEntry) => Promise<unknown>) {
    this.#sums = new AuditSums("addresses", record);
  }

  add({ accountId, kind, id, name, userId }: Refused, address: string): void {
    const actor = { kind, id, name, userId };
    const entry = { accountId, actor, action: "account.address_refused", targetId: id } as const;
    this.#sums.add(entry, address, { ip: address });
  }

  close(): Promise<void> {
    return this.#sums.close();
  }
}
