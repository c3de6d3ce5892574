import type { ConnectionScope } from "#contract/connection-constants.ts";
import type { AuthorizationAsked, ConsentCreate } from "#contract/connections.ts";
import {
  type BudgetValues,
  budgetBody,
  budgetValues,
  type TaskCapValues,
  taskCapBody,
  taskCapValues,
} from "@/components/keys/budget-values";
import { type MoneyValues, moneyBody, moneyValues } from "@/components/keys/money-values";

/** The values of the consent form. */
export interface ConsentValues {
  scopes: ConnectionScope[];
  which: "open" | "chosen";
  models: string[];
  lifetime: string;
  spending: "limited" | "unlimited";
  monthly_budget: BudgetValues;
  money: MoneyValues;
  tasks: "capped" | "uncapped";
  task_budget: TaskCapValues;
}

const dayMs = 86_400_000;
/** How long a client may stay connected, in days. */
export const lifetimes = ["1", "7", "30", "90", "365"] as const;

/** The metadata key that most agents send. */
const usualTaskKey = "session";

export const newConsent: Omit<ConsentValues, "scopes"> = {
  which: "open",
  models: [],
  lifetime: "30",
  spending: "limited",
  monthly_budget: budgetValues(null),
  money: moneyValues([]),
  tasks: "uncapped",
  task_budget: { ...taskCapValues(null), metadata_key: usualTaskKey },
};

/** When a connection that starts now and lasts this many days ends. */
export function endAfter(days: string, nowMs: number): string {
  return new Date(nowMs + Number(days) * dayMs).toISOString();
}

/** The request to the gateway for the form's values. */
export function consentBody(
  request: AuthorizationAsked,
  values: ConsentValues,
  nowMs: number,
): ConsentCreate {
  return {
    request,
    scopes: values.scopes,
    models: values.which === "chosen" ? values.models : null,
    monthly_budget: values.spending === "limited" ? budgetBody(values.monthly_budget) : null,
    budgets: values.spending === "limited" ? moneyBody(values.money) : [],
    task_budget: values.tasks === "capped" ? taskCapBody(values.task_budget) : null,
    expires_at: endAfter(values.lifetime, nowMs),
  };
}
