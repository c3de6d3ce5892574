import { and, eq, ne } from "#gateway/platform/database/drizzle.ts";
import { users } from "#gateway/platform/database/schema.ts";
import { type Command, required } from "./command.ts";
import { userByEmail } from "./user-by-email.ts";

const email = { email: { type: "string" } } as const;

/** `gatehouse operators add`: makes a user an operator of this installation. */
export const addOperator: Command = {
  usage: `operators add --email <address>

  --email <address>  of the user

An operator changes what all accounts share. It makes them no member of other accounts, and shows them no media of those.`,
  options: email,
  prepare(values) {
    const address = required(values, "email");
    return ({ database }) =>
      database.transaction(async (queries) => {
        const user = await userByEmail(queries, address);
        await queries.update(users).set({ isOperator: true }).where(eq(users.id, user.id));
        return user.id;
      });
  },
};

/** `gatehouse operators remove`: takes the operator role from a user. Refuses to remove the last operator. */
export const removeOperator: Command = {
  usage: `operators remove --email <address>

  --email <address>  of the user

The last operator stays one.`,
  options: email,
  prepare(values) {
    const address = required(values, "email");
    return ({ database }) =>
      database.transaction(async (queries) => {
        const user = await userByEmail(queries, address);
        const [other] = await queries
          .select({ id: users.id })
          .from(users)
          .where(and(eq(users.isOperator, true), ne(users.id, user.id)))
          .for("update")
          .limit(1);
        if (!other) throw new Error(`${address} is the last operator. Add another one first`);
        await queries.update(users).set({ isOperator: false }).where(eq(users.id, user.id));
        return user.id;
      });
  },
};
