"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ApiKey } from "#contract/accounts/keys.ts";
import type { AttestationKind } from "#contract/attestations.ts";
import { useWords } from "#words";
import { AttestFlow } from "@/components/attestations/attest-flow";
import { ConfirmDialog, Dialog } from "@/components/ui/dialog";
import { Checkbox } from "@/components/ui/form/checkbox";
import { useSend } from "@/components/ui/form/use-send";
import { Skeleton } from "@/components/ui/page/skeleton";
import { gateOfKind } from "@/lib/attestations/gates";
import { answerOf } from "@/lib/browser/action-answer";
import { localFailure } from "@/lib/gateway/result";
import { queryKeys } from "@/lib/query-keys";
import { handOverKeys, loadAttestationDesk } from "@/lib/team/actions";

interface TakeOverDialogProps {
  apiKey: ApiKey;
  /** The visitor, who takes the key over. */
  userId: string;
  onTaken: () => void;
  onClose: () => void;
}

/** Makes the visitor responsible for a service key, with attestations that they gave earlier or give now. */
export function TakeOverDialog({ apiKey, userId, onTaken, onClose }: TakeOverDialogProps) {
  const t = useWords("team");
  const attestations = useWords("attestations");
  const [chosen, setChosen] = useState<readonly AttestationKind[]>([]);
  const [attesting, setAttesting] = useState(false);
  const { busy, failure, show, send } = useSend();
  const desk = useQuery({
    queryKey: [...queryKeys.attestations(), "desk"],
    queryFn: () => answerOf(loadAttestationDesk()),
    gcTime: 0,
    staleTime: 0,
  });
  const statements = desk.data?.ok ? desk.data.data.attestations.statements : null;
  const attested = statements?.filter(({ active }) => active) ?? [];

  const take = async () => {
    setAttesting(false);
    if ((await send(() => answerOf(handOverKeys([apiKey.id], userId)))).ok) onTaken();
  };
  const confirm = () => {
    if (chosen.length > 0) return setAttesting(true);
    if (attested.length > 0) return take();
    show(localFailure("nothing_attested", t("chooseAnAttestation")));
  };
  const title = t("takeOverAsk", { name: apiKey.name });
  if (attesting)
    return (
      <Dialog open onOpenChange={onClose} title={title}>
        <AttestFlow kinds={chosen} onAttested={take} onClose={() => setAttesting(false)} />
      </Dialog>
    );
  const loadFailure = desk.data?.ok === false ? desk.data.error : null;
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={title}
      confirmLabel={chosen.length > 0 ? t("readAndAttest") : t("takeOver2")}
      busy={busy || desk.isPending}
      failure={failure ?? loadFailure}
      onConfirm={confirm}
      body={
        <div className="space-y-3">
          <p>{t("youBecomeResponsibleForThis")}</p>
          {statements ? (
            statements.map(({ kind, active }) =>
              active ? (
                <p key={kind}>{t("alreadyGiven", { title: attestations.text(gateOfKind(kind).title) })}</p>
              ) : (
                <Checkbox
                  key={kind}
                  label={t("giveItNow", { title: attestations.text(gateOfKind(kind).title) })}
                  checked={chosen.includes(kind)}
                  onChange={(event) =>
                    setChosen(
                      event.currentTarget.checked
                        ? [...chosen, kind]
                        : chosen.filter((other) => other !== kind),
                    )
                  }
                />
              ),
            )
          ) : (
            <Skeleton className="h-12" />
          )}
        </div>
      }
    />
  );
}
