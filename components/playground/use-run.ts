"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import type { CatalogOperation } from "#contract/catalog.ts";
import { newRun, type Run, runsStore, withRun } from "@/lib/browser/runs/run";
import { startRun } from "@/lib/browser/runs/start-run";
import type { JsonObject } from "@/lib/schema-form/json";

interface RunHandlers {
  /** Called once, with the run in its last state. */
  onEnd: (run: Run) => void;
}

let key: string | null = null;

/**
 * The only run that a countdown may repeat: it has just failed on this page, it was neither stopped nor
 * repeated since, and no other run was started or opened.
 */
export const repeatable = {
  is: (run: { key: string }) => run.key === key,
  allow(run: { key: string }) {
    key = run.key;
  },
  forbid() {
    key = null;
  },
};

/** A stream has many chunks, but the screen is rendered only this often. */
const drawEveryMs = 50;

/** Runs the operation, one run at a time, and stores this browser's history. */
export function useRun(operation: CatalogOperation, accountId: string, { onEnd }: RunHandlers) {
  const [runs, setRuns] = useState<Run[]>([]);
  const [running, setRunning] = useState<Run | null>(null);
  const [shown, setShown] = useState<Run | null>(null);
  const active = useRef<AbortController | null>(null);
  const ended = useRef(onEnd);
  ended.current = onEnd;

  useEffect(() => {
    setRuns(runsStore(accountId, operation.id).load());
    return () => {
      active.current?.abort();
      repeatable.forbid();
    };
  }, [accountId, operation.id]);

  const keep = useCallback(
    (run: Run) => {
      const kept = runsStore(accountId, operation.id).add(run);
      // Storage leaves out parts of a run. The runs of this visit stay complete in memory.
      setRuns((all) => [...all, run].reduce(withRun, kept));
    },
    [accountId, operation.id],
  );

  const start = async (body: JsonObject, key?: string) => {
    // A ref instead of state, because the second click of a double click arrives before React has rendered
    // the first.
    if (active.current) return;
    const run = newRun(operation.id, body, key);
    const abort = new AbortController();
    active.current = abort;
    repeatable.forbid();
    setShown(run);
    setRunning(run);
    // A reader who is looking at an older run stays there.
    const follow = (next: Run) => setShown((now) => (now?.key === next.key ? next : now));
    let latest = run;
    let drawnAt = 0;
    let later: ReturnType<typeof setTimeout> | undefined;
    const draw = (next: Run) => {
      clearTimeout(later);
      drawnAt = performance.now();
      setRunning(next);
      follow(next);
    };
    const end = (last: Run) => {
      if (active.current !== abort) return;
      active.current = null;
      clearTimeout(later);
      setRunning(null);
      follow(last);
      keep(last);
      ended.current(last);
    };
    // Saved before the stream has closed, because the next page may read it earlier.
    abort.signal.addEventListener("abort", () =>
      end({ ...latest, state: "stopped", totalMs: Date.now() - run.startedAtMs }),
    );
    const last = await startRun({
      operation,
      run,
      signal: abort.signal,
      onUpdate(next) {
        if (active.current !== abort) return;
        latest = next;
        const waitMs = drawnAt + drawEveryMs - performance.now();
        if (next.state === "running" && next.output && waitMs > 0) {
          clearTimeout(later);
          later = setTimeout(draw, waitMs, next);
          return;
        }
        if (next.state === "failed") repeatable.allow(next);
        draw(next);
      },
    });
    end(last);
  };

  return {
    runs: running ? withRun(runs, running) : runs,
    shown,
    running,
    start: (body: JsonObject, key?: string) => void start(body, key),
    stop: () => active.current?.abort(),
    /** Shows an earlier run. Sends no request. */
    show(run: Run) {
      repeatable.forbid();
      setShown(run);
    },
    clear() {
      runsStore(accountId, operation.id).clear();
      setRuns([]);
    },
  };
}
