import { readFileSync } from "node:fs";
import { Type } from "typebox";
import { Value } from "typebox/value";
import { SetupCreate } from "#contract/accounts/account.ts";
import { passwordMinLength } from "#contract/accounts/account-constants.ts";
import { createAccount as create, createAccountOf } from "#gateway/access/accounts/create-account.ts";
import { type Command, required, UsageError } from "./command.ts";
import { userByEmail } from "./user-by-email.ts";

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
      database.transaction(async (queries) => (await create(queries, input)).accountId);
  },
};
