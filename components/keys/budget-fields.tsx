import { useId } from "react";
import { useFormContext } from "react-hook-form";
import type { Quantities } from "#contract/accounts/keys.ts";
import { type BillingUnit, billingUnits } from "#contract/catalog-constants.ts";
import { metadataLimits } from "#contract/metadata.ts";
import { budgetPeriods } from "#contract/money/budget-constants.ts";
import { useWords } from "#words";
import { TextField } from "@/components/ui/form/bound-fields";
import { formatNumber } from "@/lib/format";
import { budgetProblem, type TaskCapValues, taskCapProblems } from "./budget-values.ts";
import { type MoneyValues, moneyProblem } from "./money-values.ts";
import { modelTokensProblem, type TokenRateValues, tokensProblem } from "./token-rates.ts";

/**
 * A quantity for each billing unit per month, for a form with the field `monthly_budget`. `used` is this month's
 * usage, in units that have a budget.
 */
export function BudgetFields({ used = {} }: { used?: Quantities }) {
  const t = useWords("keys");
  const amounts = useWords("amounts");
  const form = useFormContext<{ monthly_budget: Record<BillingUnit, string> }>();
  const noteId = useId();
  return (
    <fieldset aria-describedby={noteId} className="min-w-0">
      <legend className="sr-only">{t("limitsByUnit")}</legend>
      <p id={noteId} className="mb-3 text-meta text-muted">
        {t("theseLimitsResetEachMonth")}
      </p>
      <div className="grid gap-3 phone:grid-cols-2">
        {billingUnits.map((unit) => (
          <TextField
            key={unit}
            form={form}
            name={`monthly_budget.${unit}`}
            label={t(`${unit}Budget`)}
            hint={used[unit] !== undefined && t("unitUsedThisMonth", { unit: formatNumber(used[unit]) })}
            check={(text) => budgetProblem(amounts, text)}
            inputMode="decimal"
            placeholder={t("noLimit")}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** Tokens per minute, with all models together and with single ones, for a form with these two fields. */
export function TokenRateFields({ none }: { none?: string }) {
  const t = useWords("keys");
  const amounts = useWords("amounts");
  const form = useFormContext<TokenRateValues>();
  return (
    <div className="grid gap-3 phone:grid-cols-2">
      <TextField
        form={form}
        name="tokens_per_minute"
        label={t("tokensPerMinute")}
        hint={t("inputAndOutputOfText")}
        check={(text) => tokensProblem(amounts, text)}
        inputMode="numeric"
        placeholder={none ?? t("noLimit")}
      />
      <TextField
        form={form}
        name="model_tokens_per_minute"
        label={t("tokensPerMinuteByModel")}
        hint={t("oneModelPerLineAnd")}
        check={(text) => modelTokensProblem(amounts, text)}
        rows={2}
        mono
        placeholder="svc/chat-1 20000"
      />
    </div>
  );
}

const kinds = [
  { kind: "hard", none: "noLimit" },
  { kind: "soft", none: "noNotice" },
] as const;

/** A hard and a soft amount of money for each period, for a form with the field `money`. */
export function MoneyFields() {
  const t = useWords("keys");
  const amounts = useWords("amounts");
  const form = useFormContext<{ money: MoneyValues }>();
  const noteId = useId();
  return (
    <fieldset aria-describedby={noteId} className="min-w-0">
      <legend className="sr-only">{t("budgetsInMoney")}</legend>
      <p id={noteId} className="mb-3 text-meta text-muted">
        {t("aLimitRejectsRunsThat")}
      </p>
      <div className="grid gap-3 phone:grid-cols-2">
        {budgetPeriods.flatMap((period) =>
          kinds.map(({ kind, none }) => (
            <TextField
              key={`${kind} ${period}`}
              form={form}
              name={`money.${kind}.${period}`}
              label={t("moneyBudget", { period, kind })}
              check={(text) => moneyProblem(amounts, text)}
              inputMode="decimal"
              placeholder={t(none)}
            />
          )),
        )}
      </div>
    </fieldset>
  );
}

/**
 * A metadata key, and how much money and how many runs each of its values may use, for a form with the field
 * `task_budget`. The installation's currency is undefined if unknown.
 */
export function TaskCapFields({ currency }: { currency?: string | undefined }) {
  const t = useWords("keys");
  const amounts = useWords("amounts");
  const form = useFormContext<{ task_budget: TaskCapValues }>();
  const part = (name: keyof TaskCapValues) => ({
    form,
    name: `task_budget.${name}` as const,
    check: (text: string, { task_budget }: { task_budget: TaskCapValues }) =>
      taskCapProblems[name](amounts, text, task_budget),
  });
  const noteId = useId();
  return (
    <fieldset aria-describedby={noteId} className="min-w-0">
      <legend className="sr-only">{t("capPerTask")}</legend>
      <p id={noteId} className="mb-3 text-meta text-muted">
        {t("stopsAnAgentInA")}
      </p>
      <div className="grid gap-3 phone:grid-cols-2">
        <TextField
          {...part("metadata_key")}
          label={t("metadataKey")}
          hint={t("forExampleSessionLeaveThe")}
          rule={{ maxLength: metadataLimits.keyLength }}
          className="phone:col-span-2 phone:max-w-[50%]"
          placeholder={t("noCap")}
          mono
          look="placeholder:font-sans"
        />
        <TextField
          {...part("amount")}
          label={currency ? t("moneyPerTaskInCurrency", { currency }) : t("moneyPerTask")}
          inputMode="decimal"
          placeholder={t("noLimit")}
        />
        <TextField
          {...part("max_runs")}
          label={t("runsPerTask")}
          inputMode="numeric"
          placeholder={t("noLimit")}
        />
      </div>
    </fieldset>
  );
}
