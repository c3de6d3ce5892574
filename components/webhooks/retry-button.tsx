"use client";

import { RotateCw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { Delivery } from "#contract/webhook.ts";
import { Button, IconButton } from "@/components/ui/button";
import { failureToast } from "@/components/ui/failure-toast";
import { useToast } from "@/components/ui/toast";
import { Tooltip } from "@/components/ui/tooltip";
import { deliveryLook } from "@/lib/status/delivery";
import { retryDeliveryById } from "@/lib/webhooks/browser-door";
import { refusalText } from "@/lib/webhooks/refusal-words";

interface RetryButtonProps {
  delivery: Pick<Delivery, "id" | "status" | "event_type">;
  size?: "sm" | "md";
  variant?: "primary" | "secondary" | "ghost";
  onQueued?: (delivery: Delivery) => void;
  /** On the page of the delivery itself the new one is opened at once. */
  follow?: boolean;
  /** In a table: the icon alone, named for screen readers. */
  compact?: boolean;
}

export const neverRunsModel = "Sends the same event again. It never re-runs the model.";

/** Sends one failed or dead-letter delivery again; where it may not, it says why. */
export function RetryButton({
  delivery,
  onQueued,
  follow = false,
  compact = false,
  ...look
}: RetryButtonProps) {
  const router = useRouter();
  const { toast } = useToast();
  const [busy, setBusy] = useState(false);
  const { canRetry, retryRefusal } = deliveryLook(delivery.status);

  const retry = async () => {
    setBusy(true);
    const answer = await retryDeliveryById(delivery.id);
    setBusy(false);
    if (!answer.ok) {
      const known = refusalText(answer.error.code);
      const told = failureToast(answer.error, "Not queued");
      return toast(known === answer.error.code ? told : { ...told, description: known });
    }
    const href = `/webhooks/deliveries/${answer.data.id}`;
    onQueued?.(answer.data);
    toast({
      title: "Queued",
      description: "The same event goes out again. The model does not run.",
      ...(!follow && { action: { label: "Follow it", onClick: () => router.push(href) } }),
    });
    if (follow) router.push(href);
  };

  const icon = <RotateCw size={14} aria-hidden />;
  const shared = {
    busy,
    icon,
    "aria-disabled": !canRetry || undefined,
    onClick: () => {
      if (canRetry) retry();
    },
  };
  return (
    <Tooltip content={canRetry ? neverRunsModel : `Cannot be sent again: ${lowerFirst(retryRefusal ?? "")}.`}>
      {compact ? (
        <IconButton {...shared} size="sm" label="Send again" />
      ) : (
        <Button {...shared} {...look}>
          Send again
        </Button>
      )}
    </Tooltip>
  );
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
