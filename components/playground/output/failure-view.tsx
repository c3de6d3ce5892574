"use client";

import { ShieldAlert } from "lucide-react";
import { useCallback } from "react";
import { Button } from "@/components/ui/button";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { type AttestationCode, isAttestationCode } from "@/lib/attestations/gates";
import type { Run } from "@/lib/browser/runs/run";
import type { GatewayFailure } from "@/lib/gateway/result";
import { RateLimited } from "./rate-limited";

interface FailureViewProps {
  run: Run;
  failure: GatewayFailure;
  busy: boolean;
  onAgain: (run: Run, key?: string) => void;
  onGate: (code: AttestationCode) => void;
}

/** The problem and what to do about it. A billed request is never repeated without a click or a countdown. */
export function FailureView({ run, failure, busy, onAgain, onGate }: FailureViewProps) {
  const retries = useRetries(run);
  const { code } = failure;
  if (isAttestationCode(code))
    return (
      <div className="flex flex-wrap items-center gap-3 rounded-panel border border-warn bg-warn-soft p-4">
        <ShieldAlert size={18} aria-hidden className="text-warn" />
        <p className="min-w-0 flex-1 basis-48">
          {code === "person_rights_confirmation_required"
            ? "Tick the person-rights confirmation in the form, then choose Run."
            : "This model requires an attestation. Your draft is kept."}
        </p>
        <Button onClick={() => onGate(code)}>Show requirements</Button>
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
