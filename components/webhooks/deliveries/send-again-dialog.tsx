"use client";

import { useState } from "react";
import type { Delivery } from "#contract/webhook.ts";
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
    const known = refusalText(answer.error.code);
    setFailure(known === answer.error.code ? answer.error : { ...answer.error, message: known });
  };

  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title="Send this event again?"
      body={
        <>
          {endpointAddress(delivery.url)} has already accepted this event and will get the same event id
          again: <code className="text-meta">{delivery.event_id}</code>. A receiver that does not compare ids
          may act on it twice. This cannot be undone. The model is not run.
        </>
      }
      confirmLabel="Send again"
      busy={busy}
      failure={failure}
      onConfirm={send}
    />
  );
}
