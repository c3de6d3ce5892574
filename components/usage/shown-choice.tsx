import type { ReactNode } from "react";
import { formatCount, formatNumber } from "@/lib/format";
import { formatMoney } from "@/lib/money";
import type { Forecast } from "@/lib/usage/forecast";
import { money, type UsageTotal } from "@/lib/usage/summary";

interface ShownChoiceProps {
  units: UsageTotal[];
  /** The cost of everything in the period. */
  cost: UsageTotal | null;
  before: UsageTotal | null;
  forecast: Forecast | null;
  currency: string;
  shown: string;
  onChoose: (shown: string) => void;
}

/** Totals of the period: the cost, and one per billing unit; choosing one shows it below. */
export function ShownChoice({ units, cost, before, forecast, currency, shown, onChoose }: ShownChoiceProps) {
  const value = cost === null || cost.amount === null ? "Not priced" : formatMoney(cost.amount, currency);
  return (
    <fieldset className="mb-6 flex flex-wrap gap-2">
      <legend className="sr-only">What is shown</legend>
      <Choice name={money} label="Cost" value={value} shown={shown} onChoose={onChoose}>
        {cost !== null && cost.amount !== null && cost.notPriced > 0 && (
          <span className="block">and {formatCount(cost.notPriced, "run")} not priced</span>
        )}
        {before !== null && before.amount !== null && (
          <span className="block">{formatMoney(before.amount, currency)} the period before</span>
        )}
        {forecast && (
          <span
            className="block"
            title={`${formatMoney(forecast.soFar, currency)} so far; assumes days like the last seven`}
          >
            about {formatMoney(forecast.expected, currency)} this month
          </span>
        )}
      </Choice>
      {units.map((unit) => (
        <Choice
          key={unit.name}
          name={unit.name}
          label={`${unit.name.replace("_", " ")}s`}
          value={formatNumber(unit.quantity)}
          shown={shown}
          onChoose={onChoose}
        >
          {unit.requests > 0 && <span className="block">{formatCount(unit.requests, "run")}</span>}
        </Choice>
      ))}
    </fieldset>
  );
}

interface ChoiceProps {
  name: string;
  label: string;
  value: string;
  shown: string;
  onChoose: (name: string) => void;
  children: ReactNode;
}

function Choice({ name, label, value, shown, onChoose, children }: ChoiceProps) {
  return (
    <button
      type="button"
      aria-pressed={name === shown}
      onClick={() => onChoose(name)}
      className="min-w-36 flex-1 rounded-panel border bg-panel px-4 py-3 text-left hover:border-strong aria-pressed:border-accent aria-pressed:bg-accent-soft phone:flex-none"
    >
      <span className="block text-meta text-muted first-letter:uppercase">{label}</span>
      <span className="tabular block text-page font-semibold text-ink">{value}</span>
      <span className="tabular block text-meta text-muted">{children}</span>
    </button>
  );
}
