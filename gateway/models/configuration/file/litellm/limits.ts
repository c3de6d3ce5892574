import { keyRates } from "#contract/accounts/constants.ts";
import { isRecord } from "#contract/input-schema/json-values.ts";
import type { BudgetPeriod } from "#contract/money/budget-constants.ts";
import type { Finding } from "./left-out.ts";

/** A request that somebody who manages the account makes after the import. */
export interface ProposedCall {
  method: "PATCH" | "POST";
  path: string;
  body: object;
}

type Fields = Record<string, unknown>;

interface Limits {
  calls: ProposedCall[];
  findings: Finding[];
  /** The places that were read. */
  read: ReadonlySet<string>;
}

/**
 * The limits of the whole proxy become those of an account, and the usual limits of new keys those of one new
 * key. `idOf`: the model for a name of LiteLLM.
 */
export function limitsOf(
  settings: { litellm_settings: Fields; general_settings: Fields },
  idOf: (name: string) => string | undefined,
): Limits {
  const { litellm_settings: library, general_settings: general } = settings;
  const findings: Finding[] = [];
  const calls: ProposedCall[] = [];
  const budgetOf = (place: string, given: Fields) => {
    const amount = given.max_budget;
    if (typeof amount !== "number" || !(amount > 0)) return [];
    const period = periodOf(given.budget_duration);
    if (period) return [{ amount: amount.toFixed(6).replace(/\.?0+$/, ""), period, hard: true }];
    const reason = "Budgets are for a day, a week, a month or in all.";
    findings.push({
      place: `${place}.budget_duration`,
      reason,
      todo: "Choose one of them (docs/budgets.md).",
    });
    return [];
  };
  const budgets = budgetOf("litellm_settings", library);
  if (budgets.length > 0) calls.push({ method: "PATCH", path: "/v1/account/budgets", body: { budgets } });

  const place = "litellm_settings.default_key_generate_params";
  const given = isRecord(library.default_key_generate_params) ? library.default_key_generate_params : {};
  const whole = (value: unknown, { minimum, maximum }: { minimum: number; maximum: number }) =>
    typeof value === "number" && value > 0
      ? Math.min(Math.max(Math.round(value), minimum), maximum)
      : undefined;
  const rate = whole(given.rpm_limit, keyRates.requests_per_minute);
  const tokens = whole(given.tpm_limit, keyRates.tokens_per_minute);
  const concurrency = whole(
    given.max_parallel_requests ?? general.global_max_parallel_requests ?? general.max_parallel_requests,
    keyRates.max_concurrency,
  );
  const keyBudgets = budgetOf(place, given);
  const names = Array.isArray(given.models) ? given.models.filter((one) => typeof one === "string") : [];
  const models = names.flatMap((name) => idOf(name) ?? []);
  const body = {
    ...(rate && { requests_per_minute: rate }),
    ...(tokens && { tokens_per_minute: tokens }),
    ...(concurrency && { max_concurrency: concurrency }),
    ...(keyBudgets.length > 0 && { budgets: keyBudgets }),
    ...(models.length > 0 && { models }),
  };
  if (Object.keys(body).length > 0)
    calls.push({
      method: "POST",
      path: "/v1/keys",
      body: { name: "From LiteLLM", scopes: ["inference"], ...body },
    });
  const ofKeys = [
    "rpm_limit",
    "tpm_limit",
    "max_parallel_requests",
    "max_budget",
    "budget_duration",
    "models",
  ];
  for (const name of Object.keys(given))
    if (!ofKeys.includes(name))
      findings.push({
        place: `${place}.${name}`,
        reason: "A key here has no such limit, or LiteLLM's database has it.",
        todo: "docs/keys-and-limits.md says what a key may have.",
      });
  const read = new Set([
    place,
    "litellm_settings.max_budget",
    "litellm_settings.budget_duration",
    "general_settings.global_max_parallel_requests",
    "general_settings.max_parallel_requests",
  ]);
  return { calls, findings, read };
}

const hours: Record<string, number> = { s: 1 / 3600, m: 1 / 60, h: 1, d: 24, mo: 720 };

/** The period for a duration of LiteLLM, such as `30d`; without one the budget never starts anew. */
function periodOf(duration: unknown): BudgetPeriod | null {
  if (duration === undefined || duration === null) return "total";
  const [, count, unit = ""] = /^(\d+)\s*(s|mo|m|h|d)$/.exec(String(duration).trim()) ?? [];
  const length = Number(count) * (hours[unit] ?? Number.NaN);
  if (length === 24) return "day";
  if (length === 168) return "week";
  return length >= 28 * 24 && length <= 31 * 24 ? "month" : null;
}
