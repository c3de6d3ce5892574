import {
  type AccountNetworks,
  type AccountNetworksUpdate,
  accountNetworkRoutes,
} from "#contract/accounts/networks.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { isInNetworks, readNetworks } from "#gateway/platform/core/networks.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { accounts } from "#gateway/platform/database/schema.ts";
import type { NetworkLists } from "#gateway/platform/database/tables/accounts.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { type AuditEntry, audited, recordAudit } from "../audit.ts";
import { noSuchAccount } from "../limits.ts";

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
 * Sets the networks of an account. They apply here at once, and in other processes within a second. Throws `invalid_parameter`, and
 * `own_address_outside` if the caller would lock themselves out and does not confirm it.
 */
async function updateNetworks(
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
  const view = await audited(context, caller, "account.networks_updated", async (queries) => {
    const lists = await setNetworks(queries, accountId, update);
    return { target: accountId, detail: { ...lists }, result: networksView(lists, caller) };
  });
  context.credentials.forget(accountId);
  return view;
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
      throw invalidParameter(`${name}[${at}]`, `${(error as Error).message}.`);
    }
  return [...texts];
}
