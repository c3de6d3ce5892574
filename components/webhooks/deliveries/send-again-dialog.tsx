"use client";

import { useState } from "react";
import type { Delivery } from "#contract/webhook.ts";
import { useWords } from "#words";
import { ConfirmDialog } from "@/components/ui/dialog";
import { answerOf } from "@/lib/browser/action-answer";
import { newRunKey } from "@/lib/browser/runs/run-key";
import { act } from "@/lib/gateway/act";
import type { GatewayFailure } from "@/lib/gateway/result";
import { endpointAddress } from "@/lib/webhooks/addresses";
import { refusalText } from "@/lib/webhooks/refusals";

interface SendAgainDialogProps {
  delivery: Pick<Delivery, "id" | "event_id" | "url">;
  onClose: () => void;
  onQueued: (delivery: Delivery) => void;
}

/**
 * Asks before a delivered event is sent again, because its receiver may act on it twice, which cannot be
 * undone.
 */
export function SendAgainDialog({ delivery, onClose, onQueued }: SendAgainDialogProps) {
  const t = useWords("webhooks");
  // One key per dialog: the event is sent once, however often the button is pressed.
  const [key] = useState(newRunKey);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<GatewayFailure | null>(null);

  const send = async () => {
    setBusy(true);
    const answer = await answerOf(
      act("POST /webhooks/deliveries/{id}/resend", { params: { id: delivery.id }, idempotencyKey: key }),
    );
    setBusy(false);
    if (answer.ok) return onQueued(answer.data);
    const known = refusalText(t, answer.error.code);
    setFailure(known === null ? answer.error : { ...answer.error, message: known });
  };

  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t("sendThisEventAgain")}
      body={t.rich(
        "hasAlreadyAccepted",
        { address: endpointAddress(delivery.url), id: delivery.event_id },
        {
          code: (content) => (
            <code key="id" className="text-meta">
              {content}
            </code>
          ),
        },
      )}
      confirmLabel={t("sendAgain")}
      busy={busy}
      failure={failure}
      onConfirm={send}
    />
  );
}
