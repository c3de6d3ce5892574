import { Progress } from "@/components/ui/progress";
import { formatNumber } from "@/lib/format";
import type { BulkPreview } from "@/lib/webhooks/bulk-retry-preview";
import type { BulkProgress } from "@/lib/webhooks/bulk-run";

interface BulkProgressViewProps {
  preview: BulkPreview;
  progress: BulkProgress;
  nudge: string | null;
}

export function BulkProgressView({ preview, progress, nudge }: BulkProgressViewProps) {
  const done = progress.queued + progress.refused;
  const value = preview.exact && preview.retryable > 0 ? done / preview.retryable : null;
  return (
    <div className="space-y-3">
      <Progress label="Deliveries processed" value={value} />
      <p role="status" className="tabular text-base text-ink">
        {formatNumber(progress.queued)} queued, {formatNumber(progress.refused)} skipped
        {preview.exact && ` of ${formatNumber(preview.retryable)}`}
        {progress.waitingSeconds !== null &&
          `. Rate limit reached: continues in ${progress.waitingSeconds} s.`}
      </p>
      {nudge && (
        <p role="alert" className="text-table text-warn">
          {nudge}
        </p>
      )}
    </div>
  );
}
