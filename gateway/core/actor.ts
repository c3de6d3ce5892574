import type { MonthlyBudget, Scope } from "#contract/account.ts";
import type { Permission } from "#contract/permissions.ts";

/** Who makes a request: an account key, or a signed-in user of the account. */
export interface Actor {
  accountId: string;
  kind: "key" | "user";
  /** `key_…` or `usr_…`. */
  id: string;
  name: string;
  /** The hash of the secret that was sent, a key's or a session's: after a rotation a key has two for a while. */
  secretHash?: string;
  /** The session whose token was sent, a user's or a key's. Null: the key itself was sent. */
  sessionId: string | null;
  scopes: readonly Scope[];
  /** The caller's permissions, from a key's scopes or from being a user of the account. */
  permissions: ReadonlySet<Permission>;
  /** Allow-lists of a key; null allows all. */
  models: readonly string[] | null;
  regions: readonly string[] | null;
  requestsPerMinute: number | null;
  maxConcurrency: number | null;
  monthlyBudget: MonthlyBudget | null;
  /** When the secret expires: with its key, or with the grace period after a rotation. Null: never, or a user. */
  expiresAt: Date | null;
}
