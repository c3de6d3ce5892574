"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Progress } from "@/components/ui/progress";
import { formatCount, formatNumber } from "@/lib/format";
import type { BulkPreview } from "@/lib/webhooks/bulk-retry-preview";
import type { BulkProgress, BulkSelection } from "@/lib/webhooks/bulk-run";
import { BulkResults } from "./bulk-results.tsx";
import { useBulkRetry } from "./use-bulk-retry.ts";

interface BulkRetryDialogProps {
  selection: BulkSelection;
  onClose: () => void;
}

/** Retries many deliveries: counts first, asks, shows progress, can be stopped, and lists each result. */
export function BulkRetryDialog({ selection, onClose }: BulkRetryDialogProps) {
  const { state, count, start, stop } = useBulkRetry(selection);
  const [nudged, setNudged] = useState(false);
  const running = state.step === "running";
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      dismissible={!running}
      onDismissAttempt={() => setNudged(true)}
      title={"ids" in selection ? "Retry selected deliveries" : "Retry all matching deliveries"}
      description="Each event is sent again as a new delivery. No model runs."
      footer={
        <>
          {state.step === "ready" && (
            <>
              <Button onClick={onClose}>Cancel</Button>
              <Button
                variant="primary"
                disabled={state.preview.retryable === 0}
                onClick={() => start(state.preview)}
              >
                Retry {state.preview.exact ? "" : "at least "}
                {state.preview.retryable.toLocaleString("en")}
              </Button>
            </>
          )}
          {running && (
            <Button variant="danger" busy={state.stopping} onClick={stop}>
              Stop
            </Button>
          )}
          {(state.step === "finished" || state.step === "uncounted") && (
            <Button variant="primary" onClick={onClose}>
              Close
            </Button>
          )}
        </>
      }
    >
      {state.step === "counting" && <p role="status">Counting deliveries…</p>}
      {state.step === "uncounted" && <ErrorPanel error={state.error} onRetry={count} />}
      {state.step === "ready" && <BulkCount preview={state.preview} />}
      {running && (
        <BulkProgressView
          preview={state.preview}
          progress={state.progress}
          nudge={nudged ? "Retries are still being queued. Press Stop before you close this." : null}
        />
      )}
      {state.step === "finished" && <BulkResults outcome={state.outcome} />}
    </Dialog>
  );
}

/** How many deliveries would be retried. */
function BulkCount({ preview }: { preview: BulkPreview }) {
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

interface BulkProgressViewProps {
  preview: BulkPreview;
  progress: BulkProgress;
  nudge: string | null;
}

function BulkProgressView({ preview, progress, nudge }: BulkProgressViewProps) {
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
