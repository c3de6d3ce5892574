import { Value } from "typebox/value";
import { ApiKeyCreate, scopes } from "#contract/keys.ts";
import { createKey as create } from "#gateway/accounts/keys/create.ts";
import { accountOfOwner } from "./account-of-owner.ts";
import { type Command, required, UsageError } from "./command.ts";

/** `gatehouse keys create`: prints the new key, which is shown only once. */
export const createKey: Command = {
  summary: "Create an account key",
  usage: `keys create --email <address> --name <name> [--scopes <scope,…>]

  --email <address>   of an owner of the account
  --name <name>       what the console lists the key under
  --scopes <scope,…>  ${scopes.join(", ")} (default: all)
  --account <id>      which one, if they own several

It is a service key, for which the account's first owner answers. Prints the key; it cannot be read again.`,
  options: {
    email: { type: "string" },
    name: { type: "string" },
    scopes: { type: "string" },
    account: { type: "string" },
  },
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
        const accountId = await accountOfOwner(queries, email, values.account);
        const key = await create(queries, accountId, input, null);
        return key.secret;
      });
  },
};
