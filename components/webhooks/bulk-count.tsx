import { formatCount, formatNumber } from "@/lib/format";
import type { BulkPreview } from "@/lib/webhooks/bulk-retry-preview";

/** How many deliveries would be retried. */
export function BulkCount({ preview }: { preview: BulkPreview }) {
  const { matched, retryable, exact } = preview;
  const atLeast = exact ? "" : "at least ";
  const left = matched - retryable;
  return (
    <div className="space-y-2 text-base text-ink" role="status">
      <p>
        <strong className="font-semibold">
          {atLeast}
          {formatCount(retryable, "delivery", "deliveries")}
        </strong>{" "}
        can be retried, of {atLeast}
        {formatNumber(matched)} that {matched === 1 ? "matches" : "match"}.
      </p>
      {left > 0 && (
        <p className="text-muted">
          {formatCount(left, "delivery", "deliveries")} cannot be retried: already delivered or retried, still
          pending, endpoint disabled or deleted, or event content removed.
        </p>
      )}
    </div>
  );
}
