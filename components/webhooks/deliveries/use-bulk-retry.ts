"use client";

import { useEffect, useRef, useState } from "react";
import type { GatewayFailure } from "@/lib/gateway/result";
import { browserRetryCalls } from "@/lib/webhooks/browser-reads";
import { runBulkRetry } from "@/lib/webhooks/bulk-retry";
import { type BulkPreview, previewBulkRetry } from "@/lib/webhooks/bulk-retry-preview";
import type { BulkOutcome, BulkProgress, BulkSelection } from "@/lib/webhooks/bulk-run";

export type BulkState =
  | { step: "counting" }
  | { step: "uncounted"; error: GatewayFailure }
  | { step: "ready"; preview: BulkPreview }
  | { step: "running"; preview: BulkPreview; progress: BulkProgress; stopping: boolean }
  | { step: "finished"; preview: BulkPreview; outcome: BulkOutcome };

/** One bulk retry from its count to its results. It stops when its dialog closes. */
export function useBulkRetry(selection: BulkSelection) {
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
  // Asks the gateway for the count as soon as the dialog opens.
  useEffect(() => {
    latestCount.current();
    return () => stopper.current?.abort();
  }, []);

  return { state, count, start, stop };
}
