import { Value } from "typebox/value";
import { keyScopes, scopes } from "#contract/accounts/key-constants.ts";
import { ApiKeyCreate } from "#contract/accounts/keys.ts";
import { createKey as create } from "#gateway/access/accounts/keys/create.ts";
import { accountsOfUser } from "#gateway/access/accounts/read-account.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { type Command, required, UsageError } from "./command.ts";
import { assertAccountExists } from "./delete-account.ts";
import { userByEmail } from "./user-by-email.ts";

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
