import {
  type KeyContents,
  type KeyKind,
  keyFields,
  originLimits,
  type Scope,
} from "#contract/accounts/constants.ts";
import type { ApiKeyCreate } from "#contract/accounts/keys.ts";
import type { RegionName } from "#contract/catalog.ts";
import type { Words } from "@/messages/words";
import {
  type BudgetValues,
  budgetBody,
  budgetValues,
  type TaskCapValues,
  taskCapBody,
  taskCapValues,
} from "./budget-values.ts";
import { type MoneyValues, moneyBody, moneyValues } from "./money-values.ts";
import { type TokenRateValues, tokenRateBody } from "./token-rates.ts";

/** The values of the key form. */
export interface KeyValues extends TokenRateValues {
  name: string;
  /** Null: the gateway chooses the kind for this visitor. */
  kind: KeyKind | null;
  scopes: Scope[];
  /** A name from `lifetimes`. */
  lifetime: string;
  /** Empty: every model. */
  models: string[];
  /** Empty: every region. */
  regions: RegionName[];
  /** One per line. Empty: browsers may not use the key. */
  allowed_origins: string;
  /** One per line. Empty: any network. */
  networks: string;
  requests_per_minute: string;
  max_concurrency: string;
  contents: KeyContents;
  monthly_budget: BudgetValues;
  money: MoneyValues;
  task_budget: TaskCapValues;
}

export const newKeyValues: KeyValues = {
  name: "",
  kind: null,
  // Enough for a program that runs models. Any further permission should be a deliberate choice.
  scopes: ["inference", "predictions", "uploads"],
  lifetime: "90d",
  models: [],
  regions: [],
  allowed_origins: "",
  networks: "",
  requests_per_minute: "",
  max_concurrency: "",
  tokens_per_minute: "",
  model_tokens_per_minute: "",
  contents: "inherit",
  monthly_budget: budgetValues(null),
  money: moneyValues([]),
  task_budget: taskCapValues(null),
};

const dayMs = 86_400_000;

/** When a new key expires, with the names of their messages. */
export const lifetimes = new Map([
  ["30d", { label: "in30Days", ms: 30 * dayMs }],
  ["90d", { label: "in90Days", ms: 90 * dayMs }],
  ["365d", { label: "inAYear", ms: 365 * dayMs }],
  ["never", { label: "neverExpires", ms: null }],
] as const);

/** The request to the gateway for the form's values. */
export function keyBody(values: KeyValues, nowMs: number): ApiKeyCreate {
  const budgets = moneyBody(values.money);
  const taskBudget = taskCapBody(values.task_budget);
  const lifetimeMs = new Map<string, { ms: number | null }>(lifetimes).get(values.lifetime)?.ms ?? null;
  return {
    name: values.name.trim(),
    ...(values.kind && { kind: values.kind }),
    scopes: values.scopes,
    models: values.models.length > 0 ? values.models : null,
    regions: values.regions.length > 0 ? values.regions : null,
    allowed_origins: linesOf(values.allowed_origins),
    networks: linesOf(values.networks),
    requests_per_minute: wholeNumber(values.requests_per_minute),
    max_concurrency: wholeNumber(values.max_concurrency),
    ...tokenRateBody(values),
    ...(values.contents !== "inherit" && { contents: values.contents }),
    monthly_budget: budgetBody(values.monthly_budget),
    ...(budgets.length > 0 && { budgets }),
    ...(taskBudget && { task_budget: taskBudget }),
    expires_at: lifetimeMs === null ? null : new Date(nowMs + lifetimeMs).toISOString(),
  };
}

/** The origins or networks in a text, one per line. Null without any. */
export function linesOf(text: string): string[] | null {
  const lines = text.split(/\s+/).filter((line) => line !== "");
  return lines.length > 0 ? lines : null;
}

/** The problem with the origins. Undefined if they are valid. */
export function originsProblem(text: string, t: Words<"keys">): string | undefined {
  const origins = linesOf(text) ?? [];
  if (origins.length > originLimits.perKey) return t("tooManyOrigins", { count: originLimits.perKey });
  const wrong = origins.find(
    (origin) => !URL.canParse(origin) || !new RegExp(keyFields.origin.pattern).test(origin),
  );
  return wrong && t("notAnOrigin", { origin: wrong });
}

function wholeNumber(text: string): number | null {
  return text.trim() === "" ? null : Number(text);
}
