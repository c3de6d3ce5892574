import { clearSecondFactor as clear } from "#gateway/access/accounts/second-factor/changes.ts";
import { type Command, required } from "./command.ts";
import { userByEmail } from "./user-by-email.ts";

/** `gatehouse users clear-second-factor`: the only way to remove a second factor that the user has lost. */
export const clearSecondFactor: Command = {
  usage: `users clear-second-factor --email <address>

  --email <address>  of the user who lost their passkeys, authenticator app and recovery codes

Ends their sessions and is written into the audit log of each of their accounts. Make sure that the request really comes from them.`,
  options: { email: { type: "string" } },
  prepare(values) {
    const email = required(values, "email");
    return ({ database }) =>
      database.transaction(async (queries) => {
        const user = await userByEmail(queries, email);
        const cleared = await clear(queries, user.id);
        return cleared === 0
          ? `${user.email} had no second factor.`
          : `${user.email} signs in with the password alone now. ${cleared} removed.`;
      });
  },
};
