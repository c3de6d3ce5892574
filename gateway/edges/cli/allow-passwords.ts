import { recordAudit } from "#gateway/access/accounts/audit.ts";
import { forgetAllCredentials } from "#gateway/access/accounts/credentials.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { accounts } from "#gateway/platform/database/schema.ts";
import type { Command } from "./command.ts";
import { assertAccountExists } from "./delete-account.ts";

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
