"use client";

import { useQuery } from "@tanstack/react-query";
import type { AttestationKind } from "#contract/attestations.ts";
import { Button } from "@/components/ui/button";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Skeleton } from "@/components/ui/page/skeleton";
import { loadAttestationDesk } from "@/lib/attestations/actions";
import { answerOf } from "@/lib/browser/action-answer";
import type { GatewayFailure } from "@/lib/gateway/result";
import { queryKeys } from "@/lib/query-keys";
import { AttestSteps } from "./attest-steps.tsx";

interface AttestFlowProps {
  kinds: readonly AttestationKind[];
  onAttested: () => void;
  onClose: () => void;
}

/** Loads the current statements, then leads through reading, confirming and reviewing them. */
export function AttestFlow({ kinds, onAttested, onClose }: AttestFlowProps) {
  const desk = useQuery({
    queryKey: [...queryKeys.attestations(), "desk"],
    queryFn: () => answerOf(loadAttestationDesk()),
    gcTime: 0,
    staleTime: 0,
  });
  if (desk.isPending) return <FlowSkeleton />;
  if (desk.isError || !desk.data.ok) {
    const error = desk.data?.ok === false ? desk.data.error : null;
    return <AttestRefused error={error} onRetry={() => desk.refetch()} onClose={onClose} />;
  }
  const { account, attestations } = desk.data.data;
  const asked = attestations.statements.filter(({ kind }) => kinds.includes(kind));
  if (account.user === null || asked.length < kinds.length) {
    return <AttestRefused error={null} needsUser={account.user === null} onClose={onClose} />;
  }
  const open = asked.filter(({ active }) => !active);
  if (open.length === 0) return <AlreadyAttested onDone={onAttested} />;
  return <AttestSteps user={account.user} statements={open} onAttested={onAttested} onClose={onClose} />;
}

function AlreadyAttested({ onDone }: { onDone: () => void }) {
  return (
    <div className="space-y-3 text-base text-ink">
      <p>This attestation is already recorded. Go back to the form and press Run.</p>
      <div className="flex justify-end">
        <Button variant="primary" onClick={onDone}>
          Back to form
        </Button>
      </div>
    </div>
  );
}

function FlowSkeleton() {
  return (
    <div className="space-y-3" aria-busy="true">
      <p className="sr-only" role="status">
        Loading the statement
      </p>
      <Skeleton className="h-28 w-full" />
      <Skeleton className="h-5 w-2/3" />
      <Skeleton className="ml-auto h-8 w-32" />
    </div>
  );
}

interface AttestRefusedProps {
  error: GatewayFailure | null;
  /** The caller signed in with an account key. */
  needsUser?: boolean;
  onRetry?: () => void;
  onClose: () => void;
}

const userCodes = new Set(["user_session_required", "insufficient_scope"]);

/** Why nothing can be attested here, and who can. */
function AttestRefused({ error, needsUser = false, onRetry, onClose }: AttestRefusedProps) {
  return (
    <div className="space-y-3 text-base text-ink">
      {needsUser || userCodes.has(error?.code ?? "") ? (
        <KeySignIn />
      ) : error?.code === "route_not_found" ? (
        <p>
          This gateway does not accept attestations through its API. Ask the operator how to record yours.
        </p>
      ) : error ? (
        <ErrorPanel error={error} {...(onRetry && { onRetry })} />
      ) : (
        <p>This gateway has no statement for this attestation. Ask the operator to add one.</p>
      )}
      <div className="flex justify-end">
        <Button variant="secondary" onClick={onClose}>
          Back to form
        </Button>
      </div>
    </div>
  );
}

function KeySignIn() {
  return (
    <>
      <p>
        <strong className="font-semibold">Sign in with e-mail and password to attest.</strong> You are signed
        in with an account key. Attestations must be made by a person.
      </p>
      <p className="text-muted">
        Runs with a service key pass this check once the owner or admin who is responsible for it has
        attested. Your draft is kept in this browser.
      </p>
    </>
  );
}
