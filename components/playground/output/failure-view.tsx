"use client";

import { Hourglass, ShieldAlert } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { type AttestationCode, isAttestationCode } from "@/lib/attestations/gates";
import type { Run } from "@/lib/browser/runs/run";
import { asSentence } from "@/lib/format";
import type { GatewayFailure } from "@/lib/gateway/result";
import { repeatable } from "../use-run.ts";

interface FailureViewProps {
  run: Run;
  failure: GatewayFailure;
  busy: boolean;
  onAgain: (run: Run, key?: string) => void;
  onGate: (code: AttestationCode) => void;
}

const secondsTo = (atMs: number) => Math.max(0, Math.ceil((atMs - Date.now()) / 1000));

/** The problem and what to do about it. A billed request is never repeated without a click or a countdown. */
export function FailureView({ run, failure, busy, onAgain, onGate }: FailureViewProps) {
  const t = useWords("playground");
  const retries = useRetries(run);
  const { code } = failure;
  if (isAttestationCode(code))
    return (
      <div className="flex flex-wrap items-center gap-3 rounded-panel border border-warn bg-warn-soft p-4">
        <ShieldAlert size={18} aria-hidden className="text-warn" />
        <p className="min-w-0 flex-1 basis-48">
          {code === "person_rights_confirmation_required"
            ? t("tickThePersonRightsConfirmation")
            : t("thisModelRequiresAnAttestation")}
        </p>
        <Button onClick={() => onGate(code)}>{t("showRequirements")}</Button>
      </div>
    );
  if (failure.status === 429)
    return (
      <RateLimited
        key={run.key}
        run={run}
        failure={failure}
        busy={busy}
        mayRetry={retries.mayRepeat}
        onAgain={retries.spend(onAgain)}
      />
    );
  if (busy) return <ErrorPanel error={failure} />;
  // No response: the first request may have arrived, so the same key is sent again, which ensures that it
  // runs only once.
  if (failure.status === 0 && run.output === null)
    return <ErrorPanel error={failure} onRetry={() => onAgain(run, run.key)} />;
  if ((failure.status >= 500 || failure.status === 0) && retries.left > 0)
    return <ErrorPanel error={failure} onRetry={() => retries.spend(onAgain)(run)} />;
  return <ErrorPanel error={failure} />;
}

interface RateLimitedProps {
  run: Run;
  failure: GatewayFailure;
  busy: boolean;
  mayRetry: boolean;
  onAgain: (run: Run) => void;
}

/** A 429 without a run: counts down the gateway's Retry-After, then runs again unless the user cancels. */
function RateLimited({ run, failure, busy, mayRetry, onAgain }: RateLimitedProps) {
  const t = useWords("playground");
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

  // The words for failures are loaded at the first one.
  const [said, setSaid] = useState("");
  useEffect(() => {
    const words = import("@/lib/status/failure-words").then(({ fieldText }) => fieldText(failure));
    words.catch(() => failure.message).then((text) => setSaid(asSentence(text)));
  }, [failure]);

  const over = left === 0;
  useEffect(() => {
    if (over && !held) again.current(run);
  }, [over, held, run]);

  return (
    <div className="flex flex-wrap items-center gap-3 rounded-panel border border-warn bg-warn-soft p-4">
      <Hourglass size={18} aria-hidden className="text-warn" />
      <div className="min-w-0 flex-1 basis-48">
        <p className="tabular font-semibold">
          {over ? t("youCanRunItAgain") : held ? t("waitLeftS", { left }) : t("runsAgainInLeftS", { left })}
        </p>
        <p className="text-table text-muted">{t("messageTheRequestWasNot", { message: said })}</p>
        {failure.requestId && (
          <p className="inline-flex items-center font-mono text-meta text-muted">
            {failure.requestId}
            <CopyButton value={failure.requestId} label={t("copyRequestId")} />
          </p>
        )}
      </div>
      {held ? (
        <Button disabled={!over || busy} onClick={() => onAgain(run)}>
          {t("runAgain")}
        </Button>
      ) : (
        <Button
          onClick={() => {
            repeatable.forbid();
            setHeld(true);
          }}
        >
          {t("cancel")}
        </Button>
      )}
    </div>
  );
}

/** After this many failures in a row for one input, only Run sends it again. */
const maxRetries = 3;

/** Failures per input, for this visit. */
const spent = new Map<string, number>();

/** How often a failed run may still be repeated from its error message. */
function useRetries(run: Run) {
  const input = `${run.operationId} ${JSON.stringify(run.body)}`;
  const spend = useCallback(
    (again: (run: Run) => void) => (failed: Run) => {
      spent.set(input, (spent.get(input) ?? 0) + 1);
      again(failed);
    },
    [input],
  );
  const used = spent.get(input) ?? 0;
  return {
    left: maxRetries - used,
    /**
     * Repeats automatically only once, because after two refusals in a row a third request would not help.
     */
    mayRepeat: used === 0,
    spend,
  };
}
