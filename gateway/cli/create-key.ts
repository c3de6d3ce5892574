import { eq } from "drizzle-orm";
import { Value } from "typebox/value";
import { ApiKeyCreate, scopes } from "#contract/account.ts";
import { createKey as create } from "#gateway/accounts/keys/create.ts";
import { users } from "#gateway/database/schema.ts";
import { type Command, required, UsageError } from "./command.ts";

/** `gatehouse keys create`: prints the new key, which is shown only once. */
export const createKey: Command = {
  summary: "Create an account key",
  usage: `keys create --email <address> --name <name> [--scopes <scope,…>]

  --email <address>   of a user of the account
  --name <name>       what the console lists the key under
  --scopes <scope,…>  ${scopes.join(", ")} (default: all)

Prints the key; it cannot be read again.`,
  options: { email: { type: "string" }, name: { type: "string" }, scopes: { type: "string" } },
  prepare(values) {
    const email = required(values, "email").toLowerCase();
    const input: unknown = {
      name: required(values, "name"),
      ...(typeof values.scopes === "string" && {
        scopes: values.scopes.split(",").map((scope) => scope.trim()),
      }),
    };
    if (!Value.Check(ApiKeyCreate, input))
      throw new UsageError(`--name has at most 100 characters; --scopes are of ${scopes.join(", ")}`);
    return ({ database }) =>
      database.transaction(async (queries) => {
        const [owner] = await queries
          .select({ accountId: users.accountId })
          .from(users)
          .where(eq(users.email, email));
        if (!owner) throw new Error(`There is no user with the e-mail address ${email}`);
        const key = await create(queries, owner.accountId, input, null);
        return key.secret;
      });
  },
};
