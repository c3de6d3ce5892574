import type { Role, Scope } from "#contract/accounts/constants.ts";
import type { MonthlyBudget, OperatorKeyLimits } from "#contract/accounts/keys.ts";
import type { AccountLimits } from "#contract/accounts/limits.ts";
import type { Permission } from "#contract/accounts/permissions.ts";

/** The tokens of text per minute that a key, a member or an account may use, with all models or with one. */
export interface TokenLimit {
  of: "key" | "member" | "account";
  subject: string;
  /** Null: all models together. */
  model: string | null;
  perMinute: number;
}

/** The limits that operators set for an account. The others are those of the installation. */
export type SetLimits = Partial<AccountLimits>;

/** A key whose limits and budgets count a run, with the limits that it has; null: none. */
export interface Holder {
  id: string;
  requestsPerMinute: number | null;
  maxConcurrency: number | null;
  /** What an operator limits the key to; the lower limits hold. Null or missing: nothing. */
  operatorKeyLimits?: OperatorKeyLimits | null;
  /** A key's own budget. */
  monthlyBudget: MonthlyBudget | null;
}

/** The authenticated caller: an account key, or a signed-in member of the account. */
export interface Actor extends Holder {
  accountId: string;
  kind: "key" | "user";
  /** `key_…` or `usr_…`. */
  id: string;
  name: string;
  /**
   * The hash of the key or session token that was sent. After a rotation the old and the new secret of a key
   * both work for a while, so a key can have two hashes.
   */
  secretHash?: string;
  /** The short key that was sent, and the workload that got it. `id` is then the key of its rule. */
  shortKey?: { id: string; subject: string };
  /** The service key as which the key of a rule acts, and with which it ends. */
  actsAs?: Holder | null;
  /** The session whose token was sent, opened by a user or a key. Null: the key itself was sent. */
  sessionId: string | null;
  /** The acting member: the signed-in person, or the owner of a personal key. Null: a service key. */
  userId: string | null;
  /** The member's role; null for a service key. */
  role: Role | null;
  /** The user whose attestations apply: the member, or the person responsible for a service key. */
  answeredBy: string | null;
  scopes: readonly Scope[];
  /** From the member's role, a key's scopes, or both. */
  permissions: ReadonlySet<Permission>;
  /** Whether the caller operates this installation: an operator's session, or a key with that scope. */
  isOperator: boolean;
  /** True if the account requires a second factor and this member has none. They can then only set one up. */
  secondFactorMissing?: boolean;
  /**
   * True if the session was opened through the identity provider, whose rules then decide about a second
   * factor.
   */
  isFromProvider?: boolean;
  /** When the deletion of the account begins, or began. Nothing new runs in the account. */
  closesAt?: Date | null;
  /** The operator's words if the account is suspended: the actor may then do nothing in it. */
  suspendedFor?: string | null;
  /** What operators set for the account; null or missing: nothing. */
  operatorLimits?: SetLimits | null;
  /** Allow-lists of a key; null allows all. Those of the account apply besides: `mayUseModel`. */
  models: readonly string[] | null;
  regions: readonly string[] | null;
  /**
   * The origins of pages that are allowed to send the key from a browser; null: the key is not for browsers,
   * or the caller is a signed-in person.
   */
  allowedOrigins?: readonly string[] | null;
  /** The networks from which the key may be used, and those of the account for keys or for people; null: any. */
  networks?: readonly string[] | null;
  accountNetworks?: readonly string[] | null;
  /** The address from which the credential was sent; missing for work that runs later. */
  address?: string;
  /** For a connection: the only interface that accepts its secret. Null: every interface accepts it. */
  boundTo?: "mcp" | null;
  /** The limits of the key, its member and its account. Usually empty. */
  tokenLimits: readonly TokenLimit[];
  /** The member's budget, for their sessions and personal keys together. */
  memberBudget: MonthlyBudget | null;
  /** Whether the account, the member or the key has a budget in money or a cap per task, or the account is prepaid. */
  hasMoneyLimit: boolean;
  /**
   * Metadata keys that each run must set, because the account or the API key caps what a single value of them
   * may spend. Usually empty.
   */
  taskKeys: readonly string[];
  /** What is kept of the contents of its runs; missing while the account keeps nothing. */
  contents?: KeptContents;
  /**
   * When the secret expires: with its key, or with the grace period after a rotation. Null: it never expires,
   * or the caller is a signed-in user.
   */
  expiresAt: Date | null;
}

/** The switches of an account and a key together. */
export interface KeptContents {
  /** False: this key is left out. */
  isOn: boolean;
  /** Whether the texts of embeddings and rankings are kept too. */
  embeddings: boolean;
}

/**
 * Those whose requests, tokens, places and budgets count what the caller runs: the caller, and the service key as
 * which its rule acts. All keys of a rule are one caller.
 */
export function holdersOf<Some>(actor: Some & { actsAs?: Some | null }): readonly Some[] {
  return actor.actsAs ? [actor, actor.actsAs] : [actor];
}

/** The caller and its IP address, for audited verbs. */
export interface Caller {
  actor: Actor;
  ip: string | null;
  requestId: string | null;
  /** Whether the request says that nothing of its contents may be kept. */
  declinesContents?: boolean;
  /** The request reads a row for an export, which is in the audit log as a whole. */
  isPartOfExport?: boolean;
  /** Names a change of the configuration in the answer. Missing: no request asked for it. */
  nameChange?: ((changeId: string) => void) | null | undefined;
}

/** Whether the key and the account may both use a model. */
export function mayUseModel({ models, operatorLimits }: Reach, id: string): boolean {
  return (models?.includes(id) ?? true) && (operatorLimits?.models?.includes(id) ?? true);
}

type Reach = Partial<Pick<Actor, "models" | "operatorLimits">>;

/** The regions that the key and the account may both use; null: all. */
export function allowedRegions({
  regions,
  operatorLimits,
}: Pick<Actor, "regions" | "operatorLimits">): readonly string[] | null {
  const ofAccount: readonly string[] | null = operatorLimits?.regions ?? null;
  if (ofAccount === null || regions === null) return ofAccount ?? regions;
  return regions.filter((name) => ofAccount.includes(name));
}

/** The columns that name who made or last requested a row: the key, if one was sent, and the member. */
export function madeBy({ kind, id, userId }: Pick<Actor, "kind" | "id" | "userId">) {
  return { keyId: kind === "key" ? id : null, userId };
}
