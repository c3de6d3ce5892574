import { formatCount, formatNumber } from "@/lib/format";
import type { BulkPreview } from "@/lib/webhooks/bulk-retry-preview";

/** What would be sent, before anything is. */
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
        can be sent again, of {atLeast}
        {formatNumber(matched)} that {matched === 1 ? "matches" : "match"}.
      </p>
      {left > 0 && (
        <p className="text-muted">
          The other {formatNumber(left)} {left === 1 ? "is" : "are"} left alone: delivered, still on the way,
          sent again already, or nothing can be sent, since the endpoint is disabled or gone or the event is
          no longer kept.
        </p>
      )}
    </div>
  );
}
