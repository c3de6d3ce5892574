import { Value } from "typebox/value";
import { ApiKeyCreate, keyScopes, scopes } from "#contract/keys.ts";
import { createKey as create } from "#gateway/accounts/keys/create.ts";
import { accountOfOwner } from "./account-of-owner.ts";
import { type Command, required, UsageError } from "./command.ts";

/** `gatehouse keys create`: prints the new key, which is shown only once. */
export const createKey: Command = {
  summary: "Create an account key",
  usage: `keys create --email <address> --name <name> [--scopes <scope,…>] [--operator]

  --email <address>   of an owner of the account
  --name <name>       what the console lists the key under
  --scopes <scope,…>  ${scopes.join(", ")} (default: all of these)
  --operator          adds the scope operator: the key may configure this installation
  --account <id>      which one, if they own several

It is a service key, for which the account's first owner answers. Prints the key; it cannot be read again.`,
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
      throw new UsageError(`--name has at most 100 characters; --scopes are of ${keyScopes.join(", ")}`);
    return ({ database }) =>
      database.transaction(async (queries) => {
        const accountId = await accountOfOwner(queries, email, values.account);
        const key = await create(queries, accountId, input, null);
        return key.secret;
      });
  },
};
