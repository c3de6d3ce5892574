"use client";

import { RefreshCw } from "lucide-react";
import { useState } from "react";
import type { ReceiptKeys as Keys } from "#contract/receipts.ts";
import { useWords } from "#words";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { failureToast } from "@/components/ui/page/failure-toast";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";

/** The keys that sign receipts, the current one first, and a button to rotate them. */
export function ReceiptKeys({ initial }: { initial: Keys }) {
  const t = useWords("operatorPages");
  const [keys, setKeys] = useState(initial.keys);
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const { toast } = useToast();
  const rotate = async () => {
    setBusy(true);
    const answer = await answerOf(act("POST /operator/receipt_keys/rotate"));
    if (answer.ok) {
      setKeys(answer.data.keys);
      toast({ title: t("receiptsAreSignedWithA") });
    } else void failureToast(answer.error).then(toast);
    setBusy(false);
    setAsking(false);
  };
  return (
    <Section
      title={t("receiptKeys")}
      description={t("eachRunThatHasEnded")}
      actions={
        <Button size="sm" icon={<RefreshCw size={14} aria-hidden />} onClick={() => setAsking(true)}>
          {t("rotateKey")}
        </Button>
      }
    >
      <ul className="divide-y divide-line rounded-panel border text-table">
        {keys.map(({ kid, pem, created_at: since, retired_at: until }) => (
          <li key={kid} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
            <Badge tone={until ? undefined : "good"}>{until ? t("retired") : t("currentKey")}</Badge>
            <span className="min-w-0 font-mono text-meta wrap-anywhere">{kid}</span>
            <CopyButton value={pem} label={t("copyPublicKey")} />
            <span className="ml-auto text-muted">
              {t.rich(
                until ? "sinceUntil" : "since",
                {},
                {
                  since: () => <Time key="since" value={since} mode="absolute" />,
                  until: () => <Time key="until" value={until} mode="absolute" />,
                },
              )}
            </span>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t("rotateTheReceiptKey")}
        body={t("newReceiptsAreSignedWith")}
        confirmLabel={t("rotateKey")}
        busy={busy}
        onConfirm={() => void rotate()}
      />
    </Section>
  );
}
