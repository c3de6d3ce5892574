"use client";

import { Hourglass } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import type { Run } from "@/lib/browser/runs/run";
import { asSentence } from "@/lib/format";
import type { GatewayFailure } from "@/lib/gateway/result";
import { repeatable } from "./repeatable";

interface RateLimitedProps {
  run: Run;
  failure: GatewayFailure;
  busy: boolean;
  mayRetry: boolean;
  onAgain: (run: Run) => void;
}

/** A 429 without a run: counts down the gateway's Retry-After, then runs again unless the user cancels. */
export function RateLimited({ run, failure, busy, mayRetry, onAgain }: RateLimitedProps) {
  const until = run.startedAtMs + (run.totalMs ?? 0) + (failure.retryAfterSeconds ?? 5) * 1000;
  const [left, setLeft] = useState(() => secondsTo(until));
  // A countdown that ended while the page was hidden starts nothing.
  const [held, setHeld] = useState(!mayRetry || !repeatable.is(run) || left === 0);
  const again = useRef(onAgain);
  again.current = onAgain;

  useEffect(() => {
    const timer = setInterval(() => setLeft(secondsTo(until)), 250);
    return () => clearInterval(timer);
  }, [until]);

  const over = left === 0;
  useEffect(() => {
    if (over && !held) again.current(run);
  }, [over, held, run]);

  return (
    <div className="flex flex-wrap items-center gap-3 rounded-panel border border-warn bg-warn-soft p-4">
      <Hourglass size={18} aria-hidden className="text-warn" />
      <div className="min-w-0 flex-1 basis-48">
        <p className="tabular font-semibold">
          {over ? "You can run it again now" : held ? `Wait ${left} s` : `Runs again in ${left} s`}
        </p>
        <p className="text-table text-muted">{asSentence(failure.message)} The request was not run.</p>
        {failure.requestId && (
          <p className="inline-flex items-center font-mono text-meta text-muted">
            {failure.requestId}
            <CopyButton value={failure.requestId} label="Copy request id" />
          </p>
        )}
      </div>
      {held ? (
        <Button disabled={!over || busy} onClick={() => onAgain(run)}>
          Run again
        </Button>
      ) : (
        <Button
          onClick={() => {
            repeatable.forbid();
            setHeld(true);
          }}
        >
          Cancel
        </Button>
      )}
    </div>
  );
}

const secondsTo = (atMs: number) => Math.max(0, Math.ceil((atMs - Date.now()) / 1000));
