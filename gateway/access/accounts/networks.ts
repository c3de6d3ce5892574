import type { Logger } from "pino";
import {
  type AccountNetworks,
  type AccountNetworksUpdate,
  accountNetworkRoutes,
} from "#contract/accounts/networks.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import type { Actor, Caller } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import { isInNetworks, readNetworks } from "#gateway/platform/core/networks.ts";
import type { Database, Queries } from "#gateway/platform/database/database.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { accounts } from "#gateway/platform/database/schema.ts";
import type { NetworkLists } from "#gateway/platform/database/tables/accounts.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { type AuditEntry, audited, recordAudit } from "./audit.ts";
import { noSuchAccount } from "./limits.ts";

/*
 * From which networks an account may be used: a list for people, one for keys, one of a key itself, and
 * CONSOLE_ALLOW_CIDRS for all sessions. Credentials are cached with the lists, and `credentials.find` asks the rule
 * for every request. Signed URLs, and work that was accepted before, are not asked.
 */

/** For owners: reads and sets the networks of their account. */
export function installNetworks(app: App, context: AccessContext): void {
  serve(app, context, accountNetworkRoutes, {
    "GET /account/networks": async ({ caller }) =>
      networksView(await readLists(context.database.queries, caller.actor.accountId), caller),
    "PATCH /account/networks": ({ caller, body }) => updateNetworks(context, caller, body),
  });
}

const anywhere: NetworkLists = { sign_in: null, keys: null };

function networksView(lists: NetworkLists, { ip }: Pick<Caller, "ip">): AccountNetworks {
  return { object: "account.networks", ...lists, address: ip ?? "" };
}

/** The networks from which an account may be used. Throws `account_not_found`. */
export async function readLists(queries: Queries, accountId: string): Promise<NetworkLists> {
  const [row] = await queries
    .select({ id: accounts.id, networks: accounts.networks })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  if (!row) throw noSuchAccount();
  return row.networks ?? anywhere;
}

/**
 * Sets the networks of an account. They apply in every process within a second. Throws `invalid_parameter`, and
 * `own_address_outside` if the caller would lock themselves out and does not confirm it.
 */
function updateNetworks(
  context: AccessContext,
  caller: Caller,
  { confirmed = false, ...asked }: AccountNetworksUpdate,
): Promise<AccountNetworks> {
  const { accountId } = caller.actor;
  const update = {
    ...(asked.sign_in !== undefined && { sign_in: checkedNetworks(asked.sign_in, "sign_in") }),
    ...(asked.keys !== undefined && { keys: checkedNetworks(asked.keys, "keys") }),
  };
  if (!confirmed && !isInNetworks(update.sign_in, caller.ip ?? ""))
    throw new ApiError(
      "own_address_outside",
      `Your address now is ${caller.ip}, which is in none of these networks, so this would lock you out. Add it, or send \`confirmed: true\`. \`gatehouse account networks\` on the server removes the networks again.`,
      { param: "sign_in" },
    );
  return audited(context, caller, "account.networks_updated", async (queries) => {
    const lists = await setNetworks(queries, accountId, update);
    return { target: accountId, detail: { ...lists }, result: networksView(lists, caller) };
  });
}

/** Changes lists in the caller's transaction, and returns all of them. Throws `account_not_found`. */
async function setNetworks(
  queries: Queries,
  accountId: string,
  update: Partial<NetworkLists>,
): Promise<NetworkLists> {
  await queries.select().from(accounts).where(eq(accounts.id, accountId)).for("no key update");
  const lists = { ...(await readLists(queries, accountId)), ...update };
  const networks = lists.sign_in === null && lists.keys === null ? null : lists;
  await queries.update(accounts).set({ networks }).where(eq(accounts.id, accountId));
  return lists;
}

/** Lets the account be used from anywhere again, in the caller's transaction. Throws `account_not_found`. */
export async function clearNetworks(
  queries: Queries,
  accountId: string,
  by: Pick<AuditEntry, "actor" | "ip" | "requestId">,
): Promise<void> {
  const detail = { ...(await setNetworks(queries, accountId, anywhere)) };
  await recordAudit(queries, {
    ...{ ...by, accountId, action: "account.networks_updated", targetId: accountId, detail },
  });
}

/** Throws `invalid_parameter` for the first text that is neither an address nor a range. */
export function checkedNetworks(texts: readonly string[] | null, name: string): string[] | null {
  if (texts === null) return null;
  for (const [at, text] of texts.entries())
    try {
      readNetworks([text]);
    } catch (error) {
      throw invalidParameter(`${name}[${at}]`, `${name}[${at}]: ${(error as Error).message}.`);
    }
  return [...texts];
}

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
