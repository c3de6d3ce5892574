import { type Role, roles } from "./accounts/constants.ts";

/** The constants of notices. They are apart from the schemas because pages do not need the schemas. */

interface CauseRules {
  /** The roles that get this notice. Null: the operators of the installation. */
  roles: readonly Role[] | null;
  /**
   * For a cause about one person: `only` notifies nobody else, `also` notifies that person as well as the
   * roles.
   */
  person?: "only" | "too";
  /** The channels of a cause until a person chooses others. */
  console: boolean;
  email: boolean;
  /** Which notices the console shows as one line: the notices of one subject, or of the whole account. */
  group: "subject" | "cause";
}

const managers = ["owner", "admin"] as const;
const workers = ["owner", "admin", "member"] as const;

/** The causes of notices. */
export const causeRules = {
  "endpoint.failing": { roles: managers, console: true, email: true, group: "subject" },
  "endpoint.disabled": { roles: managers, console: true, email: true, group: "subject" },
  "endpoint.recovered": { roles: managers, console: true, email: true, group: "subject" },
  "delivery.exhausted": { roles: workers, console: true, email: false, group: "subject" },
  "callbacks.requeued": { roles: ["owner"], console: true, email: true, group: "subject" },
  "copy.exhausted": { roles: workers, console: true, email: false, group: "subject" },
  "budget.threshold": {
    roles: ["owner", "admin", "billing"],
    person: "too",
    console: true,
    email: true,
    group: "subject",
  },
  "task.refused": { roles: managers, person: "too", console: true, email: false, group: "subject" },
  "outputs.expiring": { roles: workers, person: "only", console: false, email: false, group: "cause" },
  "share.reported": { roles: ["owner"], console: true, email: true, group: "subject" },
  "attestation.withdrawn": { roles: managers, console: true, email: true, group: "subject" },
  "key.expiring": { roles: managers, person: "only", console: true, email: true, group: "subject" },
  "batch.finished": { roles: workers, person: "only", console: true, email: false, group: "cause" },
  "member.joined": { roles: managers, console: true, email: false, group: "cause" },
  "guard.failing": { roles: managers, console: true, email: true, group: "subject" },
  "guard.recovered": { roles: managers, console: true, email: true, group: "subject" },
  "sign_in.new_place": { roles: [], person: "only", console: true, email: true, group: "subject" },

  "provider.key_refused": { roles: null, console: true, email: true, group: "subject" },
  "provider.bill_unpaid": { roles: null, console: true, email: true, group: "subject" },
  "provider.unhealthy": { roles: null, console: true, email: true, group: "subject" },
  "usage.not_priced": { roles: null, console: true, email: true, group: "subject" },
  "file.reported": { roles: null, console: true, email: true, group: "subject" },
  "certificate.expiring": { roles: null, console: true, email: true, group: "subject" },
  "signing_certificate.expiring": { roles: null, console: true, email: true, group: "cause" },
  "retention.lagging": { roles: null, console: true, email: true, group: "subject" },
  "audit_stream.behind": { roles: null, console: true, email: true, group: "cause" },
  "database.connections": { roles: null, console: true, email: true, group: "cause" },
  "database.disk": { roles: null, console: true, email: true, group: "cause" },
  "installation_guard.failing": { roles: null, console: true, email: true, group: "subject" },
  "installation_guard.recovered": { roles: null, console: true, email: true, group: "subject" },
  "load.high": { roles: null, console: true, email: true, group: "subject" },
  "store.full": { roles: null, console: true, email: true, group: "cause" },
} as const satisfies Record<string, CauseRules>;

export type Cause = keyof typeof causeRules;
export const noticeCauses = Object.keys(causeRules) as [Cause, ...Cause[]];

/** The rules of a cause, with one type for all causes. */
export function rulesOf(cause: Cause): CauseRules {
  return causeRules[cause];
}

/** Whether this role gets the notice when it is not about the person. */
export function isNotifiedAsRole(cause: Cause, role: Role | null, isOperator: boolean): boolean {
  const { roles: hearing } = rulesOf(cause);
  return hearing === null ? isOperator : role !== null && hearing.includes(role);
}

/** Whether this role can ever get the notice, even if only about the person. */
export function canBeNotified(cause: Cause, role: Role | null, isOperator: boolean): boolean {
  return isNotifiedAsRole(cause, role, isOperator) || rulesOf(cause).person !== undefined;
}

/** The causes that an account can post to its incoming webhooks. */
export const hookCauses = noticeCauses.filter((cause) =>
  roles.some((role) => isNotifiedAsRole(cause, role, false)),
);

/** The causes about the installation, which operators can post to their incoming webhooks. */
export const operatorHookCauses = noticeCauses.filter((cause) => rulesOf(cause).roles === null);

/** The chat service for whose format a notice is written. */
export const hookTemplates = ["slack", "discord", "teams", "json"] as const;
export type HookTemplate = (typeof hookTemplates)[number];

/** Most incoming webhooks of an account, and of the operators. */
export const maxHooks = 20;

/** Texts of an incoming webhook, for its schema and its form. */
export const hookFields = {
  name: { minLength: 1, maxLength: 100, pattern: "\\S" },
  url: { minLength: 1, maxLength: 2048 },
} as const;
