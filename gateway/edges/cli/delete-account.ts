import { cancelDeletion, orderDeletion } from "#gateway/access/accounts/deletion/deletion.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { accountDeletions, accounts } from "#gateway/platform/database/schema.ts";
import { type Command, required } from "./command.ts";
import { printable } from "./printable.ts";

const options = { account: { type: "string" } } as const;
const byCommandLine = { actor: null };

/** `gatehouse account delete`: for an account that has lost its owners. */
export const deleteAccount: Command = {
  usage: `account delete --account <id>

  --account <id>  as \`gatehouse account list\` prints it

Nothing new runs in it from now on. In a week its rows, files, keys and the people who belong to no other account are
removed. Until then \`gatehouse account keep\` or an owner takes it back. Prints when it begins.`,
  options,
  prepare(values) {
    const account = required(values, "account");
    return ({ database }) =>
      database.transaction(async (queries) => {
        await assertAccountExists(queries, account);
        return (await orderDeletion(queries, account, byCommandLine)).toISOString();
      });
  },
};

/** `gatehouse account keep`: cancels a deletion. */
export const keepAccount: Command = {
  usage: `account keep --account <id>

  --account <id>  as \`gatehouse account list\` prints it

Works until the deletion begins. Prints the account's id.`,
  options,
  prepare(values) {
    const account = required(values, "account");
    return ({ database }) =>
      database.transaction(async (queries) => {
        await assertAccountExists(queries, account);
        await cancelDeletion(queries, account, byCommandLine);
        return account;
      });
  },
};

/** `gatehouse account list`: a line per account, including deleted ones. */
export const listAccounts: Command = {
  usage: `account list

Prints a line for each account: id, name, and when it is or was deleted.`,
  options: {},
  prepare:
    () =>
    async ({ database: { queries } }) => {
      const rows = await queries
        .select({ id: accounts.id, deletedId: accountDeletions.accountId, name: accounts.name, ...times })
        .from(accounts)
        .fullJoin(accountDeletions, eq(accountDeletions.accountId, accounts.id))
        .orderBy(accounts.id, accountDeletions.accountId);
      return rows
        .map(({ id, deletedId, name, ...row }) =>
          [id ?? deletedId ?? "", name ?? "", stateOf(row)].map(printable).join("\t").trimEnd(),
        )
        .join("\n");
    },
};

const times = {
  dueAt: accountDeletions.dueAt,
  startedAt: accountDeletions.startedAt,
  finishedAt: accountDeletions.finishedAt,
};

function stateOf({ dueAt, startedAt, finishedAt }: Record<keyof typeof times, Date | null>): string {
  if (finishedAt) return `deleted ${finishedAt.toISOString()}`;
  if (startedAt) return `being deleted since ${startedAt.toISOString()}`;
  return dueAt ? `will be deleted ${dueAt.toISOString()}` : "";
}

/** Throws if there is no such account. */
export async function assertAccountExists(queries: Queries, id: string): Promise<void> {
  const [account] = await queries.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, id));
  if (!account)
    throw new Error(`There is no account ${id}. "gatehouse account list" prints the ids of all accounts`);
}
