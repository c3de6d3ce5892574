import type { MonthlyBudget, Scope } from "#contract/account.ts";

/** Who makes a request: an account key, or a signed-in user of the account. */
export interface Actor {
  accountId: string;
  kind: "key" | "user";
  /** `key_…` or `usr_…`. */
  id: string;
  name: string;
  /** The stored form of the key's secret that was sent: after a rotation a key has two for a while. */
  secretHash?: string;
  /** The session behind a user, so that it can be ended. */
  sessionId: string | null;
  scopes: readonly Scope[];
  /** Allow-lists of a key; null allows all. */
  models: readonly string[] | null;
  regions: readonly string[] | null;
  requestsPerMinute: number | null;
  maxConcurrency: number | null;
  monthlyBudget: MonthlyBudget | null;
  /** When the secret that was sent ends: with its key, or with the grace after a rotation. Null: never, or a user. */
  expiresAt: Date | null;
}
