"use client";

import { useEffect, useRef, useState } from "react";
import type { AttestationStatement } from "#contract/account.ts";
import { Button } from "@/components/ui/button";
import { ErrorPanel } from "@/components/ui/error-panel";
import { Checkbox } from "@/components/ui/input";
import { attest } from "@/lib/attestations/actions";
import { settled } from "@/lib/browser/settled";
import type { GatewayFailure } from "@/lib/gateway/result";
import { AttestReview } from "./attest-review.tsx";
import type { AttestingUser } from "./attesting-user.ts";
import { StatementText } from "./statement-text.tsx";

interface AttestStepsProps {
  user: AttestingUser;
  statement: AttestationStatement;
  onAttested: () => void;
  onClose: () => void;
}

/** Read and tick, then review what will be recorded, then record. Nothing is ticked beforehand. */
export function AttestSteps({ user, statement, onAttested, onClose }: AttestStepsProps) {
  const [ticked, setTicked] = useState(false);
  const [reviewing, setReviewing] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<GatewayFailure | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  // A new step is announced by moving the focus to its heading (external system: the document's focus).
  useEffect(() => {
    if (reviewing) heading.current?.focus();
  }, [reviewing]);

  async function record() {
    setBusy(true);
    setError(null);
    const answer = await settled(attest(statement.kind, statement.version));
    setBusy(false);
    if (answer.ok) onAttested();
    else setError(answer.error);
  }

  return (
    <div className="space-y-3">
      <h3 ref={heading} tabIndex={-1} className="text-base font-semibold text-ink outline-none">
        {reviewing ? "Step 2 of 2: review what is recorded" : "Step 1 of 2: read and confirm"}
      </h3>
      <StatementText statement={statement} />
      {reviewing ? (
        <AttestReview user={user} statement={statement} />
      ) : (
        <Checkbox
          label="I have read this statement and I confirm it."
          checked={ticked}
          onChange={(event) => setTicked(event.currentTarget.checked)}
        />
      )}
      {error && <ErrorPanel error={error} />}
      <div className="flex flex-wrap justify-end gap-2">
        {reviewing ? (
          <>
            <Button variant="secondary" onClick={() => setReviewing(false)} disabled={busy}>
              Back
            </Button>
            <Button variant="primary" busy={busy} onClick={record}>
              Record attestation
            </Button>
          </>
        ) : (
          <>
            <Button variant="secondary" onClick={onClose}>
              Not now
            </Button>
            <Button variant="primary" disabled={!ticked} onClick={() => setReviewing(true)}>
              Review
            </Button>
          </>
        )}
      </div>
    </div>
  );
}
