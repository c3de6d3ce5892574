import { readFileSync } from "node:fs";
import { Type } from "typebox";
import { Value } from "typebox/value";
import { SetupCreate } from "#contract/accounts/account.ts";
import { keyScopes, passwordMinLength, scopes } from "#contract/accounts/constants.ts";
import { ApiKeyCreate } from "#contract/accounts/keys.ts";
import { accountStateFields } from "#contract/operator/constants.ts";
import {
  accountsOfUser,
  createAccountOf,
  createAccount as createWithOwner,
} from "#gateway/access/accounts/account.ts";
import { recordAudit } from "#gateway/access/accounts/audit.ts";
import { forgetAllCredentials } from "#gateway/access/accounts/credentials.ts";
import { readDeletionRecord } from "#gateway/access/accounts/deletion/certificate.ts";
import { cancelDeletion, orderDeletion } from "#gateway/access/accounts/deletion/deletion.ts";
import { createKey as create } from "#gateway/access/accounts/keys/create.ts";
import { clearNetworks, readLists } from "#gateway/access/accounts/networks/networks.ts";
import { liftSuspension, suspend } from "#gateway/access/accounts/suspension.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { accountDeletions, accounts } from "#gateway/platform/database/schema.ts";
import type { Suspension } from "#gateway/platform/database/tables/accounts.ts";
import { type Command, printable, required, UsageError } from "./command.ts";
import { userByEmail } from "./users.ts";

const options = { account: { type: "string" } } as const;

export const byCommandLine = { actor: null };

/** `gatehouse account delete`: for an account that has lost its owners. */
export const deleteAccount: Command = {
  usage: `account delete --account <id> [--now --name <name> --reason <text>]

  --account <id>   as \`gatehouse account list\` prints it
  --now            at once: nobody can take it back
  --name <name>    with --now: the account's name, which confirms that you mean this account
  --reason <text>  with --now: why; the certificate keeps it

Nothing new runs in it from now on. In a week, or at once, its rows, files, keys and the people who belong to no other
account are removed. During the week \`gatehouse account keep\` or an owner takes it back. Prints when it begins;
\`gatehouse account certificate\` prints what was removed.`,
  options: {
    ...options,
    now: { type: "boolean" },
    name: { type: "string" },
    reason: { type: "string" },
  },
  prepare(values) {
    const account = required(values, "account");
    const now = values.now === true && { name: required(values, "name"), reason: reasonIn(values) };
    if (!now && (values.name !== undefined || values.reason !== undefined))
      throw new UsageError("--name and --reason belong to --now");
    return ({ database }) =>
      database.transaction(async (queries) => {
        const name = await nameOfAccount(queries, account);
        if (now && now.name !== name.trim())
          throw new Error(`The account ${account} has another name: "${printable(name)}"`);
        const reason = now ? now.reason : null;
        return (await orderDeletion(queries, account, byCommandLine, reason)).toISOString();
      });
  },
};

/** `gatehouse account certificate`: what a deletion removed. */
export const accountCertificate: Command = {
  usage: `account certificate --account <id>

  --account <id>  of a deleted account, as \`gatehouse account list\` prints it

Prints the record of the deletion as JSON: who, when, why, how many rows of each table were removed, and once it has
finished, the SHA-256 of all that.`,
  options,
  prepare(values) {
    const account = required(values, "account");
    return async ({ database: { queries } }) =>
      JSON.stringify(await readDeletionRecord(queries, account), null, 2);
  },
};

/** `gatehouse account suspend`: refuses the account's keys and sessions. */
export const suspendAccount: Command = {
  usage: `account suspend --account <id> --reason <text>

  --account <id>   as \`gatehouse account list\` prints it
  --reason <text>  callers and members of the account read it

Within a second all its keys and sessions are answered 403 \`account_suspended\` with the reason. What runs ends, and
deliveries wait. \`gatehouse account unsuspend\` lifts it. Prints the account's id.`,
  options: { ...options, reason: { type: "string" } },
  prepare(values) {
    const account = required(values, "account");
    const reason = reasonIn(values);
    return ({ database }) =>
      database.transaction(async (queries) => {
        await suspend(queries, account, reason, byCommandLine);
        return account;
      });
  },
};

/** `gatehouse account unsuspend`: lifts a suspension. */
export const unsuspendAccount: Command = {
  usage: `account unsuspend --account <id>

  --account <id>  as \`gatehouse account list\` prints it

Its keys and sessions work again within a second, and its deliveries are sent. Prints the account's id.`,
  options,
  prepare(values) {
    const account = required(values, "account");
    return ({ database }) =>
      database.transaction(async (queries) => {
        await liftSuspension(queries, account, byCommandLine);
        return account;
      });
  },
};

/** `gatehouse account networks`: the way back for people who locked themselves out. */
export const accountNetworks: Command = {
  usage: `account networks --account <id> [--clear]

  --account <id>  as \`gatehouse account list\` prints it
  --clear         lets people and keys use the account from anywhere again, within a second

Prints from which networks people and keys may use the account. Keys may have networks of their own, which stay.`,
  options: { ...options, clear: { type: "boolean" } },
  prepare(values) {
    const account = required(values, "account");
    return ({ database }) =>
      database.transaction(async (queries) => {
        await assertAccountExists(queries, account);
        if (values.clear === true) await clearNetworks(queries, account, byCommandLine);
        const { sign_in: people, keys } = await readLists(queries, account);
        const text = (networks: readonly string[] | null) => networks?.join(", ") ?? "anywhere";
        return `sign_in\t${text(people)}\nkeys\t${text(keys)}`;
      });
  },
};

/** The reason that an operator must give. Throws UsageError. */
export function reasonIn(values: Record<string, unknown>): string {
  const reason = required(values, "reason");
  const { maxLength } = accountStateFields.reason;
  if (reason.length > maxLength) throw new UsageError(`--reason has at most ${maxLength} characters`);
  return reason;
}

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

Prints a line for each account: id, name, and when it was suspended, or is or was deleted.`,
  options: {},
  prepare:
    () =>
    async ({ database: { queries } }) => {
      const rows = await queries
        .select({ id: accounts.id, deletedId: accountDeletions.accountId, name: accounts.name, ...state })
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

const state = {
  suspension: accounts.suspension,
  dueAt: accountDeletions.dueAt,
  startedAt: accountDeletions.startedAt,
  finishedAt: accountDeletions.finishedAt,
};

interface StateRow {
  suspension: Suspension | null;
  dueAt: Date | null;
  startedAt: Date | null;
  finishedAt: Date | null;
}

function stateOf({ suspension, dueAt, startedAt, finishedAt }: StateRow): string {
  if (finishedAt) return `deleted ${finishedAt.toISOString()}`;
  if (startedAt) return `being deleted since ${startedAt.toISOString()}`;
  const states = [
    ...(suspension ? [`suspended since ${suspension.since}`] : []),
    ...(dueAt ? [`will be deleted ${dueAt.toISOString()}`] : []),
  ];
  return states.join(", ");
}

async function nameOfAccount(queries: Queries, id: string): Promise<string> {
  const [account] = await queries.select({ name: accounts.name }).from(accounts).where(eq(accounts.id, id));
  if (!account)
    throw new Error(`There is no account ${id}. "gatehouse account list" prints the ids of all accounts`);
  return account.name;
}

/** Throws if there is no such account. */
export async function assertAccountExists(queries: Queries, id: string): Promise<void> {
  await nameOfAccount(queries, id);
}

const NewAccount = Type.Omit(SetupCreate, ["setup_token"]);

const standardInput = 0;

/** `gatehouse account create`: prints the new account's id. */
export const createAccount: Command = {
  usage: `account create --email <address> [--password <password>] [--name <name>]

  --email <address>      what the owner signs in with
  --password <password>  at least ${passwordMinLength} characters; "-" reads it from standard input.
                         Left out for somebody who has signed in before: they become the owner
  --name <name>          shown in the console (default: the address up to its @)

Prints the id of the new account.`,
  options: { email: { type: "string" }, password: { type: "string" }, name: { type: "string" } },
  prepare(values) {
    const email = required(values, "email");
    const given = values.password;
    const password = given === "-" ? readFileSync(standardInput, "utf8").replace(/\r?\n$/, "") : given;
    const name = typeof values.name === "string" ? values.name : (email.split("@")[0] ?? email);
    if (typeof password !== "string")
      return ({ database }) =>
        database.transaction(async (queries) => {
          const owner = await userByEmail(queries, email).catch((error: Error) => {
            throw new Error(`${error.message}. Add --password to create the user, too`);
          });
          return createAccountOf(queries, owner, name);
        });
    const input = { email, password, name };
    const [wrong] = Value.Errors(NewAccount, input);
    if (wrong) throw new UsageError(`--${wrong.instancePath.slice(1)} ${wrong.message}`);
    return ({ database }) =>
      database.transaction(async (queries) => (await createWithOwner(queries, input)).accountId);
  },
};

/** `gatehouse keys create`: prints the new key, which is not shown again. */
export const createKey: Command = {
  usage: `keys create --email <address> --name <name> [--scopes <scope,…>] [--operator]

  --email <address>   of an owner of the account
  --name <name>       the name of the key in the console
  --scopes <scope,…>  ${scopes.join(", ")} (default: all of these)
  --operator          adds the scope operator: the key may configure this installation
  --account <id>      which one, if they own several

It is a service key, for which the account's first owner is responsible. Prints the key; it cannot be read again.`,
  options: {
    email: { type: "string" },
    name: { type: "string" },
    scopes: { type: "string" },
    operator: { type: "boolean" },
    account: { type: "string" },
  },
  prepare(values) {
    const email = required(values, "email").toLowerCase();
    const chosen =
      typeof values.scopes === "string" ? values.scopes.split(",").map((scope) => scope.trim()) : [...scopes];
    const input: unknown = {
      name: required(values, "name"),
      scopes: values.operator === true ? [...new Set([...chosen, "operator"])] : chosen,
    };
    if (!Value.Check(ApiKeyCreate, input))
      throw new UsageError(
        `--name must have at most 100 characters; --scopes may contain only ${keyScopes.join(", ")}`,
      );
    return ({ database }) =>
      database.transaction(async (queries) => {
        if (typeof values.account === "string") await assertAccountExists(queries, values.account);
        const accountId = await accountOfOwner(queries, email, values.account);
        const key = await create(queries, accountId, input, null);
        return key.secret;
      });
  },
};

/** The account that the user owns. `wanted` chooses one of several. */
async function accountOfOwner(queries: Queries, email: string, wanted: unknown): Promise<string> {
  const user = await userByEmail(queries, email);
  const owned = (await accountsOfUser(queries, user.id)).filter(({ role }) => role === "owner");
  const [only, ...others] = typeof wanted === "string" ? owned.filter(({ id }) => id === wanted) : owned;
  if (!only)
    throw new Error(
      `${email} does not own ${typeof wanted === "string" ? wanted : "an account"}. "gatehouse users list" prints who owns which account`,
    );
  if (others.length > 0)
    throw new Error(
      `${email} owns several accounts; name one with --account: ${owned.map(({ id, name }) => `${id} (${name})`).join(", ")}`,
    );
  return only.id;
}

/** `gatehouse sign-in allow-passwords`: for when the identity provider is lost and nobody can sign in. */
export const allowPasswords: Command = {
  usage: `sign-in allow-passwords [--account <id>]

  --account <id>  only this account (default: all)

Takes back the rule "only by the identity provider" and prints the accounts that had it.`,
  options: { account: { type: "string" } },
  prepare:
    ({ account }) =>
    async ({ database }) => {
      const changed = await database.transaction(async (queries) => {
        if (typeof account === "string") await assertAccountExists(queries, account);
        const locked = await queries
          .select()
          .from(accounts)
          .where(eq(accounts.signIn, "provider"))
          .for("update");
        const chosen = locked.filter(({ id }) => account === undefined || id === account);
        for (const { id } of chosen) {
          await queries.update(accounts).set({ signIn: "any" }).where(eq(accounts.id, id));
          await recordAudit(queries, {
            accountId: id,
            actor: null,
            action: "account.updated",
            targetId: id,
            detail: { sign_in: "any" },
          });
        }
        if (chosen.length > 0) await forgetAllCredentials(queries);
        return chosen;
      });
      if (changed.length === 0) return "No account had the rule.";
      return changed.map(({ id, name }) => `${id} (${name})`).join("\n");
    },
};
