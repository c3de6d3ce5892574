import type { BatchCounts } from "#contract/batches.ts";
import { NotOffered } from "@/components/ui/page/not-offered";
import { progressLabel, ranRows } from "@/lib/batches/labels";

interface BatchBarProps {
  counts: BatchCounts;
  label: string;
  /** The word for one row: a comparison's rows are called models. */
  noun?: string;
}

/** Succeeded, failed and canceled rows as parts of a bar. */
export function BatchBar({ counts, label, noun }: BatchBarProps) {
  const parts = [
    { name: "succeeded", count: counts.succeeded, look: "bg-(--accent-fill)" },
    { name: "failed", count: counts.failed, look: "bg-(--bad)" },
    { name: "canceled", count: counts.canceled, look: "stripes" },
  ];
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={counts.total}
      aria-valuenow={ranRows(counts)}
      aria-valuetext={progressLabel(counts, noun)}
      className="flex h-1.5 w-full overflow-hidden rounded-full bg-sunken"
    >
      {parts.map(
        ({ name, count, look }) =>
          count > 0 && (
            <span
              key={name}
              data-part={name}
              title={`${count} ${name}`}
              style={{ width: `${(100 * count) / counts.total}%` }}
              className={`transition-[width] ${look}`}
            />
          ),
      )}
    </div>
  );
}

/** Shown if the gateway has no batches. */
export function NoBatches() {
  return <NotOffered what="batches">Run single inputs in the playground instead.</NotOffered>;
}
