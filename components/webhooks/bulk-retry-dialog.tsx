"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorPanel } from "@/components/ui/error-panel";
import type { BulkSelection } from "@/lib/webhooks/bulk-run";
import { BulkCount } from "./bulk-count.tsx";
import { BulkProgressView } from "./bulk-progress-view.tsx";
import { BulkResults } from "./bulk-results.tsx";
import { useBulkRetry } from "./use-bulk-retry.ts";

interface BulkRetryDialogProps {
  selection: BulkSelection;
  onClose: () => void;
}

/** Retries many deliveries: counts first, asks, shows progress, can be stopped, lists each result. */
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
