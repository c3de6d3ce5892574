import type { BatchKind } from "#contract/batch-constants.ts";
import type { BatchCounts } from "#contract/batches.ts";
import { useWords } from "#words";
import { NotOffered } from "@/components/ui/page/not-offered";
import { progressLabel, ranRows } from "@/lib/batches/labels";

interface BatchBarProps {
  counts: BatchCounts;
  label: string;
  /** The rows of a comparison are called models. */
  kind?: BatchKind;
}

/** Succeeded, failed and canceled rows as parts of a bar. */
export function BatchBar({ counts, label, kind }: BatchBarProps) {
  const t = useWords("batches");
  const parts = [
    { name: "succeeded", title: "countSucceeded", count: counts.succeeded, look: "bg-(--accent-fill)" },
    { name: "failed", title: "countFailed", count: counts.failed, look: "bg-(--bad)" },
    { name: "canceled", title: "countCanceled", count: counts.canceled, look: "stripes" },
  ] as const;
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={counts.total}
      aria-valuenow={ranRows(counts)}
      aria-valuetext={progressLabel(t, counts, kind)}
      className="flex h-1.5 w-full overflow-hidden rounded-full bg-sunken"
    >
      {parts.map(
        ({ name, title, count, look }) =>
          count > 0 && (
            <span
              key={name}
              data-part={name}
              title={t(title, { count: String(count) })}
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
  const t = useWords("batches");
  return <NotOffered what={t("batchesNotOffered")}>{t("runSingleInputsInThe")}</NotOffered>;
}
