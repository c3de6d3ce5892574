"use client";

import { useQuery } from "@tanstack/react-query";
import type { AttestationKind } from "#contract/attestations.ts";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { loadAttestationDesk } from "@/lib/attestations/actions";
import { settled } from "@/lib/browser/settled";
import { queryKeys } from "@/lib/query-keys";
import { AttestRefused } from "./attest-refused.tsx";
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
    queryFn: () => settled(loadAttestationDesk()),
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
