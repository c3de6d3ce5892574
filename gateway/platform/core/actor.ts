import type { Scope } from "#contract/accounts/key-constants.ts";
import type { MonthlyBudget } from "#contract/accounts/keys.ts";
import type { Permission } from "#contract/accounts/permissions.ts";
import type { Role } from "#contract/accounts/roles.ts";

/** Who makes a request: an account key, or a signed-in member of the account. */
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
  /** The member who acts: who is signed in, or whose personal key it is. Null: a service key. */
  userId: string | null;
  /** The member's role; null for a service key. */
  role: Role | null;
  /** Whose attestations count: the member's own, or those of the user who answers for a service key. */
  answeredBy: string | null;
  scopes: readonly Scope[];
  /** From the member's role, a key's scopes, or both. */
  permissions: ReadonlySet<Permission>;
  /** Whether they run this installation: an operator's session, or a key with that scope. */
  isOperator: boolean;
  /** The account requires a second factor of the member, who has none: they may only set one up. */
  secondFactorMissing?: boolean;
  /** The identity provider opened the session: it asks for a second factor, or not, by its own rules. */
  isFromProvider?: boolean;
  /** When the deletion of the account begins, or has begun. Nothing new runs in it. */
  closesAt?: Date | null;
  /** Allow-lists of a key; null allows all. */
  models: readonly string[] | null;
  regions: readonly string[] | null;
  /** The origins of pages that may send it from a browser; null: a key that is not for browsers, or a person. */
  allowedOrigins?: readonly string[] | null;
  /** For a connection: the only interface that accepts its secret. Null: any. */
  boundTo?: "mcp" | null;
  requestsPerMinute: number | null;
  maxConcurrency: number | null;
  /** A key's own budget. */
  monthlyBudget: MonthlyBudget | null;
  /** The member's budget, for their sessions and personal keys together. */
  memberBudget: MonthlyBudget | null;
  /** Whether the account, the member or the key has a budget in money, or the account is prepaid. */
  hasMoneyLimit: boolean;
  /** When the secret expires: with its key, or with the grace period after a rotation. Null: never, or a user. */
  expiresAt: Date | null;
}

/** The caller and its address, as every audited verb takes them. */
export interface Caller {
  actor: Actor;
  ip: string | null;
  requestId: string | null;
}
