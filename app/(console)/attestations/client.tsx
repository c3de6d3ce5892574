"use client";

import { useState } from "react";
import { attestationCodes } from "#contract/attestation-constants.ts";
import type { AttestationKind } from "#contract/attestations.ts";
import { AttestDialog } from "@/components/attestations/attest-dialog";
import { AttestationHistory } from "@/components/attestations/attestation-history";
import { CheckCard } from "@/components/attestations/check-card";
import { StandingTable } from "@/components/attestations/standing-table";
import { WithdrawDialog } from "@/components/attestations/withdraw-dialog";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { NotOffered } from "@/components/ui/page/not-offered";
import { PageHeader } from "@/components/ui/page/page-header";
import { usePageRouter } from "@/components/ui/page/use-place";
import { useToast } from "@/components/ui/toast";
import type { AttestationDesk } from "@/lib/attestations/desk";
import { type AttestationCode, gates } from "@/lib/attestations/gates";
import type { GatewayResult } from "@/lib/gateway/result";

interface AttestationsClientProps {
  desk: GatewayResult<AttestationDesk>;
  unlocked: Record<AttestationCode, string[]>;
}

/** The three checks, what each unlocks, who attested what and when. */
export function AttestationsClient({ desk, unlocked }: AttestationsClientProps) {
  const router = usePageRouter();
  const { toast } = useToast();
  const [attesting, setAttesting] = useState<AttestationKind | null>(null);
  const [withdrawing, setWithdrawing] = useState<AttestationKind | null>(null);
  const statements = desk.ok ? desk.data.attestations.statements : [];
  const done = (title: string) => {
    setAttesting(null);
    setWithdrawing(null);
    toast({ title });
    router.refresh();
  };

  return (
    <>
      <PageHeader
        title="Attestations"
        description="Statements that people in this account have confirmed. Only a person who is signed in can give or withdraw one; an account key cannot."
      />
      {!desk.ok && desk.error.code === "route_not_found" && (
        <div className="mb-6">
          <NotOffered what="attestations through its API">
            The checks that its models need are listed below. Ask the operator how to record yours.
          </NotOffered>
        </div>
      )}
      {!desk.ok && desk.error.code !== "route_not_found" && (
        <div className="mb-6">
          <ErrorPanel error={desk.error} onRetry={() => router.refresh()} />
        </div>
      )}
      <ul className="mb-8 space-y-4">
        {attestationCodes.map((code) => (
          <CheckCard
            key={code}
            gate={gates[code]}
            statement={statements.find((each) => each.kind === gates[code].kind) ?? null}
            record={
              (desk.ok &&
                desk.data.attestations.data.find(
                  (each) =>
                    each.kind === gates[code].kind &&
                    each.revoked_at === null &&
                    each.user_id === (desk.data.account.user?.id ?? each.user_id),
                )) ||
              null
            }
            models={unlocked[code]}
            onAttest={setAttesting}
            onWithdraw={setWithdrawing}
          />
        ))}
      </ul>
      {desk.ok && <StandingTable standing={desk.data.attestations.standing} />}
      {desk.ok && <AttestationHistory rows={desk.data.attestations.data} statements={statements} />}
      <AttestDialog
        kind={attesting}
        onAttested={() => done("Attestation recorded")}
        onClose={() => setAttesting(null)}
      />
      <WithdrawDialog
        kind={withdrawing}
        standing={desk.ok ? desk.data.attestations.standing : []}
        onWithdrawn={() => done("Attestation withdrawn")}
        onClose={() => setWithdrawing(null)}
      />
    </>
  );
}
