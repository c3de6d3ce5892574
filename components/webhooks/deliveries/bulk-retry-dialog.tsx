"use client";

import { useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { IdChip } from "@/components/ui/id-chip";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Progress } from "@/components/ui/progress";
import type { GatewayFailure } from "@/lib/gateway/result";
import { browserRetryCalls } from "@/lib/webhooks/browser-reads";
import type { BulkOutcome, BulkProgress, BulkRow, BulkSelection } from "@/lib/webhooks/bulk-retry";
import { type BulkPreview, previewBulkRetry, runBulkRetry } from "@/lib/webhooks/bulk-retry";
import { refusalText } from "@/lib/webhooks/refusals";
import type { Words } from "@/messages/words";

interface BulkRetryDialogProps {
  selection: BulkSelection;
  onClose: () => void;
}

/** Retries many deliveries: counts first, asks, shows progress, can be stopped, and lists each result. */
export function BulkRetryDialog({ selection, onClose }: BulkRetryDialogProps) {
  const t = useWords("webhooks");
  const { state, count, start, stop } = useBulkRetry(selection);
  const [nudged, setNudged] = useState(false);
  const running = state.step === "running";
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      dismissible={!running}
      onDismissAttempt={() => setNudged(true)}
      title={"ids" in selection ? t("retrySelectedDeliveries") : t("retryAllMatchingDeliveries")}
      description={t("eachEventIsSentAgain")}
      footer={
        <>
          {state.step === "ready" && (
            <>
              <Button onClick={onClose}>{t("cancel")}</Button>
              <Button
                variant="primary"
                disabled={state.preview.retryable === 0}
                onClick={() => start(state.preview)}
              >
                {t(state.preview.exact ? "retryCount" : "retryAtLeast", { count: state.preview.retryable })}
              </Button>
            </>
          )}
          {running && (
            <Button variant="danger" busy={state.stopping} onClick={stop}>
              {t("stop")}
            </Button>
          )}
          {(state.step === "finished" || state.step === "uncounted") && (
            <Button variant="primary" onClick={onClose}>
              {t("close")}
            </Button>
          )}
        </>
      }
    >
      {state.step === "counting" && <p role="status">{t("countingDeliveries")}</p>}
      {state.step === "uncounted" && <ErrorPanel error={state.error} onRetry={count} />}
      {state.step === "ready" && <BulkCount preview={state.preview} />}
      {running && (
        <BulkProgressView
          preview={state.preview}
          progress={state.progress}
          nudge={nudged ? t("retriesAreStillQueued") : null}
        />
      )}
      {state.step === "finished" && <BulkResults outcome={state.outcome} />}
    </Dialog>
  );
}

const shownAtOnce = 100;

/** The result of each delivery. Skipped ones come first, because they need attention. */
export function BulkResults({ outcome }: { outcome: BulkOutcome }) {
  const t = useWords("webhooks");
  const [shown, setShown] = useState(shownAtOnce);
  const rows = [...outcome.rows].sort((a, b) => Number(a.code === null) - Number(b.code === null));
  const made = new Set(rows.flatMap(({ deliveryId }) => deliveryId ?? [])).size;
  return (
    <div className="space-y-3">
      <div role="status" className="text-base text-ink">
        <p className="font-semibold">
          {t("bulkResult", { queued: outcome.queued, refused: outcome.refused })}
        </p>
        <p className="text-muted">{endingOf(t, outcome)}</p>
        {made < outcome.queued && <p className="text-muted">{t("eachEventOnce", { made })}</p>}
      </div>
      {outcome.error && <ErrorPanel error={outcome.error} />}
      {rows.length > 0 && (
        <Table label={t("resultOfEachDelivery")}>
          <thead>
            <tr>
              <Th>{t("delivery")}</Th>
              <Th>{t("result")}</Th>
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
          {t("showMore", { left: rows.length - shown })}
        </Button>
      )}
    </div>
  );
}

/** How the retry ended, and how many deliveries it did not reach. */
function endingOf(t: Words<"webhooks">, { end, left }: BulkOutcome): string {
  if (end === "done") return t("allDeliveriesProcessed");
  if (end === "stopped") return left === null ? t("retriesStopped") : t("retriesStoppedOf", { left });
  return left === null ? t("retriesFailed") : t("retriesFailedOf", { left });
}

function ResultRow({ row }: { row: BulkRow }) {
  const t = useWords("webhooks");
  return (
    <Tr>
      <Td>
        <IdChip id={row.id} href={`/webhooks/deliveries/${row.id}`} />
      </Td>
      <Td>
        {row.code === null && row.deliveryId ? (
          <span className="inline-flex items-center gap-1 text-good">
            {t("queuedAs")} <IdChip id={row.deliveryId} href={`/webhooks/deliveries/${row.deliveryId}`} />
          </span>
        ) : (
          <span className="text-bad">
            {row.code === null ? t("queued") : (refusalText(t, row.code) ?? row.code)}
          </span>
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
  const t = useWords("webhooks");
  const { matched, retryable, exact } = preview;
  const left = matched - retryable;
  return (
    <div className="space-y-2 text-base text-ink" role="status">
      <p>
        {t.rich(
          exact ? "canBeRetried" : "atLeastCanBeRetried",
          { retryable, matched },
          {
            b: (content) => (
              <strong key="count" className="font-semibold">
                {content}
              </strong>
            ),
          },
        )}
      </p>
      {left > 0 && <p className="text-muted">{t("cannotBeRetried", { left })}</p>}
    </div>
  );
}

interface BulkProgressViewProps {
  preview: BulkPreview;
  progress: BulkProgress;
  nudge: string | null;
}

function BulkProgressView({ preview, progress, nudge }: BulkProgressViewProps) {
  const t = useWords("webhooks");
  const done = progress.queued + progress.refused;
  const value = preview.exact && preview.retryable > 0 ? done / preview.retryable : null;
  return (
    <div className="space-y-3">
      <Progress label={t("deliveriesProcessed")} value={value} />
      <p role="status" className="tabular text-base text-ink">
        {t("bulkProgress", {
          queued: progress.queued,
          refused: progress.refused,
          exact: preview.exact ? "yes" : "no",
          retryable: preview.retryable,
          waits: progress.waitingSeconds === null ? "no" : "yes",
          seconds: String(progress.waitingSeconds),
        })}
      </p>
      {nudge && (
        <p role="alert" className="text-table text-warn">
          {nudge}
        </p>
      )}
    </div>
  );
}
