import { eraseUser } from "#gateway/access/accounts/members/membership.ts";
import { writeReset } from "#gateway/access/accounts/passwords/passwords.ts";
import { clearSecondFactor as clear } from "#gateway/access/accounts/second-factor/changes.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, asc, eq, ne, notLike } from "#gateway/platform/database/drizzle.ts";
import { accounts, members, users } from "#gateway/platform/database/schema.ts";
import { type Command, type CommandContext, printable, required } from "./command.ts";

type User = Pick<typeof users.$inferSelect, "id" | "name" | "email">;

/** A command about the user whose address is `--email`. `work` runs in a transaction and returns the result. */
function aboutUser(
  usage: string,
  work: (queries: Queries, user: User, tools: CommandContext) => Promise<string>,
): Command {
  return {
    usage,
    options: { email: { type: "string" } },
    prepare(values) {
      const address = required(values, "email");
      return (tools) =>
        tools.database.transaction(async (queries) =>
          work(queries, await userByEmail(queries, address), tools),
        );
    },
  };
}

/** `gatehouse users list`: a line per user, with accounts and roles. */
export const listUsers: Command = {
  usage: `users list

Prints a line for each user: address, name, "operator" for those who run this installation, accounts and roles.`,
  options: {},
  prepare:
    () =>
    async ({ database }) =>
      (await usersWithAccounts(database.queries)).map(lineOf).join("\n"),
};

/** `gatehouse users reset`: prints a link for setting a new password. */
export const resetUser = aboutUser(
  `users reset --email <address>

  --email <address>  of the user

Prints a link that works once, within a day, and replaces earlier ones. Using it ends all sessions of the user; a second
factor stays.`,
  async (queries, user, { config }) => (await writeReset(queries, config, user.id, null)).url,
);

/** Throws if no user has this e-mail address. */
export async function userByEmail(queries: Queries, email: string): Promise<User> {
  const [user] = await queries
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(eq(users.email, email.trim().toLowerCase()));
  if (user) return user;
  const [anybody] = await queries.select({ id: users.id }).from(users).limit(1);
  const start = anybody ? "" : ". No account exists yet: open the set-up link that npm start prints";
  throw new Error(`There is no user with the e-mail address ${email}${start}`);
}

/** `gatehouse users remove`: removes a user from all accounts. */
export const removeUser = aboutUser(
  `users remove --email <address>

  --email <address>  of the user

Ends their sessions and personal keys. What they made for their accounts stays, and so does their name with it. The last
owner of an account cannot be removed.`,
  async (queries, user) => {
    await eraseUser(queries, user.id).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === "last_owner")
        throw new Error(`${user.email} is the last owner of an account. Make somebody else an owner first`);
      throw error;
    });
    return user.id;
  },
);

interface Listed {
  email: string;
  name: string;
  isOperator: boolean;
  accounts: string[];
}

async function usersWithAccounts(queries: Queries): Promise<Listed[]> {
  const rows = await queries
    .select({
      email: users.email,
      name: users.name,
      isOperator: users.isOperator,
      account: accounts.name,
      role: members.role,
    })
    .from(users)
    .leftJoin(members, eq(members.userId, users.id))
    .leftJoin(accounts, eq(accounts.id, members.accountId))
    .where(notLike(users.email, "%@removed.invalid"))
    .orderBy(asc(users.id), asc(members.createdAt));
  const listed = new Map<string, Listed>();
  for (const { account, role, ...user } of rows) {
    const known = listed.get(user.email) ?? { ...user, accounts: [] };
    if (account !== null) known.accounts.push(`${account} (${role})`);
    listed.set(user.email, known);
  }
  return [...listed.values()];
}

function lineOf(user: Listed): string {
  const columns = [
    user.email,
    user.name,
    ...(user.isOperator ? ["operator"] : []),
    user.accounts.join(", ") || "no account",
  ];
  return columns.map(printable).join("\t");
}

/** `gatehouse users clear-second-factor`: the only way to remove a second factor that the user has lost. */
export const clearSecondFactor = aboutUser(
  `users clear-second-factor --email <address>

  --email <address>  of the user who lost their passkeys, authenticator app and recovery codes

Ends their sessions and is written into the audit log of each of their accounts. Make sure that the request really comes from them.`,
  async (queries, user) => {
    const cleared = await clear(queries, user.id);
    return cleared === 0
      ? `${user.email} had no second factor.`
      : `${user.email} signs in with the password alone now. ${cleared} removed.`;
  },
);

/** `gatehouse operators add`: makes a user an operator of this installation. */
export const addOperator = aboutUser(
  `operators add --email <address>

  --email <address>  of the user

An operator changes what all accounts share. It makes them no member of other accounts, and shows them no media of those.`,
  async (queries, user) => {
    await queries.update(users).set({ isOperator: true }).where(eq(users.id, user.id));
    return user.id;
  },
);

/** `gatehouse operators remove`: takes the operator role from a user. Refuses to remove the last operator. */
export const removeOperator = aboutUser(
  `operators remove --email <address>

  --email <address>  of the user

The last operator stays one.`,
  async (queries, user) => {
    const [other] = await queries
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.isOperator, true), ne(users.id, user.id)))
      .for("update")
      .limit(1);
    if (!other) throw new Error(`${user.email} is the last operator. Add another one first`);
    await queries.update(users).set({ isOperator: false }).where(eq(users.id, user.id));
    return user.id;
  },
);
