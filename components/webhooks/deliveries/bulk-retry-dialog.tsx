"use client";

import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { IdChip } from "@/components/ui/id-chip";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Progress } from "@/components/ui/progress";
import { formatCount, formatNumber } from "@/lib/format";
import type { GatewayFailure } from "@/lib/gateway/result";
import { browserRetryCalls } from "@/lib/webhooks/browser-reads";
import type { BulkOutcome, BulkProgress, BulkRow, BulkSelection } from "@/lib/webhooks/bulk-retry";
import { type BulkPreview, previewBulkRetry, runBulkRetry } from "@/lib/webhooks/bulk-retry";
import { refusalText } from "@/lib/webhooks/refusals";

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
          nudge={nudged ? "Retries are still being queued. Choose Stop before you close this dialog." : null}
        />
      )}
      {state.step === "finished" && <BulkResults outcome={state.outcome} />}
    </Dialog>
  );
}

const shownAtOnce = 100;

/** The result of each delivery. Skipped ones come first, because they need attention. */
export function BulkResults({ outcome }: { outcome: BulkOutcome }) {
  const [shown, setShown] = useState(shownAtOnce);
  const rows = [...outcome.rows].sort((a, b) => Number(a.code === null) - Number(b.code === null));
  const made = new Set(rows.flatMap(({ deliveryId }) => deliveryId ?? [])).size;
  return (
    <div className="space-y-3">
      <div role="status" className="text-base text-ink">
        <p className="font-semibold">
          Queued {formatNumber(outcome.queued)}, skipped {formatNumber(outcome.refused)}
        </p>
        <p className="text-muted">{endingOf(outcome)}</p>
        {made < outcome.queued && (
          <p className="text-muted">
            {formatCount(made, "delivery", "deliveries")} will be sent, because each event is sent to each
            endpoint only once.
          </p>
        )}
      </div>
      {outcome.error && <ErrorPanel error={outcome.error} />}
      {rows.length > 0 && (
        <Table label="Result of each delivery">
          <thead>
            <tr>
              <Th>Delivery</Th>
              <Th>Result</Th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((row) => (
              <ResultRow key={row.id} row={row} />
            ))}
          </tbody>
        </Table>
      )}
      {rows.length > shown && (
        <Button size="sm" onClick={() => setShown(shown + shownAtOnce)}>
          Show more ({formatNumber(rows.length - shown)} left)
        </Button>
      )}
    </div>
  );
}

/** How the retry ended, and how many deliveries it did not reach. */
function endingOf({ end, left }: BulkOutcome): string {
  if (end === "done") return "All deliveries were processed.";
  const rest = left === null ? "the rest were" : `${formatNumber(left)} ${left === 1 ? "was" : "were"}`;
  if (end === "stopped") return `Stopped. Retries already queued will be sent; ${rest} not retried.`;
  return `Stopped because a request failed. Retries already queued will be sent; ${rest} not confirmed as queued.`;
}

function ResultRow({ row }: { row: BulkRow }) {
  return (
    <Tr>
      <Td>
        <IdChip id={row.id} href={`/webhooks/deliveries/${row.id}`} />
      </Td>
      <Td>
        {row.code === null && row.deliveryId ? (
          <span className="inline-flex items-center gap-1 text-good">
            Queued as <IdChip id={row.deliveryId} href={`/webhooks/deliveries/${row.deliveryId}`} />
          </span>
        ) : (
          <span className="text-bad">{row.code === null ? "Queued" : refusalText(row.code)}</span>
        )}
      </Td>
    </Tr>
  );
}

type BulkState =
  | { step: "counting" }
  | { step: "uncounted"; error: GatewayFailure }
  | { step: "ready"; preview: BulkPreview }
  | { step: "running"; preview: BulkPreview; progress: BulkProgress; stopping: boolean }
  | { step: "finished"; preview: BulkPreview; outcome: BulkOutcome };

/** One bulk retry from its count to its results. It stops when its dialog closes. */
function useBulkRetry(selection: BulkSelection) {
  const [state, setState] = useState<BulkState>({ step: "counting" });
  const [startedAt] = useState(() => new Date());
  const stopper = useRef<AbortController>(null);
  const counted = useRef(0);

  const count = async () => {
    counted.current += 1;
    const turn = counted.current;
    setState({ step: "counting" });
    const answer = await previewBulkRetry(browserRetryCalls, selection, startedAt);
    if (turn !== counted.current) return;
    setState(
      answer.ok ? { step: "ready", preview: answer.data } : { step: "uncounted", error: answer.error },
    );
  };
  const start = async (preview: BulkPreview) => {
    const control = new AbortController();
    stopper.current = control;
    const { signal } = control;
    const onProgress = (progress: BulkProgress) =>
      setState({ step: "running", preview, progress, stopping: signal.aborted });
    onProgress({ rows: [], queued: 0, refused: 0, left: null, waitingSeconds: null });
    const outcome = await runBulkRetry({
      calls: browserRetryCalls,
      selection,
      startedAt,
      onProgress,
      signal,
    });
    setState({ step: "finished", preview, outcome });
  };
  const stop = () => {
    stopper.current?.abort();
    setState((now) => (now.step === "running" ? { ...now, stopping: true } : now));
  };

  const latestCount = useRef(count);
  latestCount.current = count;
  // Requests the count from the gateway as soon as the dialog opens.
  useEffect(() => {
    latestCount.current();
    return () => stopper.current?.abort();
  }, []);

  return { state, count, start, stop };
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
