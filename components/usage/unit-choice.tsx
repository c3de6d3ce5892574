import { formatCount, formatNumber } from "@/lib/format";
import type { UsageTotal } from "@/lib/usage/summary";

interface UnitChoiceProps {
  units: UsageTotal[];
  shown: string;
  onChoose: (unit: string) => void;
}

/** The totals of the time, one per billing unit; each chooses what is shown below. */
export function UnitChoice({ units, shown, onChoose }: UnitChoiceProps) {
  return (
    <fieldset className="mb-6 flex flex-wrap gap-2">
      <legend className="sr-only">Billing unit</legend>
      {units.map((unit) => (
        <button
          key={unit.name}
          type="button"
          aria-pressed={unit.name === shown}
          onClick={() => onChoose(unit.name)}
          className="min-w-36 flex-1 rounded-panel border bg-panel px-4 py-3 text-left hover:border-strong aria-pressed:border-accent aria-pressed:bg-accent-soft phone:flex-none"
        >
          <span className="block text-meta text-muted first-letter:uppercase">{unit.name}s</span>
          <span className="tabular block text-page font-semibold text-ink">
            {formatNumber(unit.quantity)}
          </span>
          <span className="tabular block text-meta text-muted">{formatCount(unit.requests, "request")}</span>
        </button>
      ))}
    </fieldset>
  );
}
