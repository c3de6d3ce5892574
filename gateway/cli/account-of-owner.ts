import { accountsOfUser } from "#gateway/accounts/read-account.ts";
import type { Queries } from "#gateway/database/database.ts";
import { userByEmail } from "./user-by-email.ts";

/** The account that the user owns; `wanted` names one of several. */
export async function accountOfOwner(queries: Queries, email: string, wanted: unknown): Promise<string> {
  const user = await userByEmail(queries, email);
  const owned = (await accountsOfUser(queries, user.id)).filter(({ role }) => role === "owner");
  const [only, ...others] = typeof wanted === "string" ? owned.filter(({ id }) => id === wanted) : owned;
  if (!only) throw new Error(`${email} owns no ${typeof wanted === "string" ? "such " : ""}account`);
  if (others.length > 0)
    throw new Error(
      `${email} owns several accounts; name one with --account: ${owned.map(({ id, name }) => `${id} (${name})`).join(", ")}`,
    );
  return only.id;
}
