"use client";

import { RotateCw, Send } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { Delivery } from "#contract/webhook.ts";
import { useAccess } from "@/components/team/access";
import { WhoCan } from "@/components/team/permitted";
import { Button, IconButton } from "@/components/ui/button";
import { usePageRouter } from "@/components/ui/page/link";
import { useToast } from "@/components/ui/toast";
import { Tooltip } from "@/components/ui/tooltip";
import { deliveryLook } from "@/lib/status/delivery";

const SendAgainDialog = dynamic(
  () => import("./send-again-dialog.tsx").then((module) => module.SendAgainDialog),
  { ssr: false },
);

/** Loaded with the first click, because a list of fifty buttons needs none of it. */
const loadRetry = () => import("./retry-delivery.ts");
const codeNotLoaded = {
  ok: false as const,
  toast: {
    tone: "bad" as const,
    title: "Retry not queued",
    description: "The console cannot be reached. Check your connection, then try again.",
  },
};

/** The effect of a retry, or why this delivery cannot be retried. */
function retryNote({ status, retried_as: retry }: RetryButtonProps["delivery"]): string {
  const { canRetry, canResend, retryRefusal } = deliveryLook(status);
  if (canResend)
    return "Sends the same event to the receiver again, with the same event id. The model is not run.";
  if (canRetry && retry) return "Cannot be retried: it was retried since. Retry the newer delivery.";
  if (canRetry) return "Sends the same event again. The model is not run.";
  return `Cannot be retried: ${lowerFirst(retryRefusal ?? "")}.`;
}

interface RetryButtonProps {
  delivery: Pick<Delivery, "id" | "status" | "event_type" | "event_id" | "url" | "retried_as">;
  size?: "sm" | "md";
  variant?: "primary" | "secondary" | "ghost";
  onQueued?: (delivery: Delivery) => void;
  /** True on the page of a delivery: the new delivery is opened at once. */
  follow?: boolean;
  /** True in a table: only the icon, with a name for screen readers. */
  compact?: boolean;
}

/**
 * Retries a failed or dead-letter delivery. Sends a delivered one again after a question. If neither is
 * allowed, shows why.
 */
export function RetryButton({
  delivery,
  onQueued,
  follow = false,
  compact = false,
  ...appearance
}: RetryButtonProps) {
  const router = usePageRouter();
  const { toast } = useToast();
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState(false);
  const { may, acts } = useAccess();
  const permitted = may("deliveries:retry");
  const look = deliveryLook(delivery.status);
  const wasAccepted = look.canResend === true;
  const label = wasAccepted ? "Send again" : "Retry";
  const canRetry = permitted && ((look.canRetry && !delivery.retried_as) || wasAccepted);
  if (!permitted && !acts) return null;

  const retry = async () => {
    setBusy(true);
    const answer = await loadRetry()
      .then(({ retryDelivery }) => retryDelivery(delivery.id))
      .catch(() => codeNotLoaded);
    setBusy(false);
    if (!answer.ok) return toast(answer.toast);
    tell(answer.data);
  };

  const tell = (queued: Delivery) => {
    const href = `/webhooks/deliveries/${queued.id}`;
    onQueued?.(queued);
    toast({
      title: "Queued",
      description: "The same event will be sent again. The model is not run.",
      ...(!follow && { action: { label: "Open delivery", onClick: () => router.push(href) } }),
    });
    if (follow) router.push(href);
  };

  const Icon = wasAccepted ? Send : RotateCw;
  const shared = {
    busy,
    icon: <Icon size={14} aria-hidden />,
    "aria-disabled": !canRetry || undefined,
    onClick: () => {
      if (!canRetry) return;
      if (wasAccepted) setAsking(true);
      else retry();
    },
  };
  return (
    <>
      <Tooltip content={permitted ? retryNote(delivery) : <WhoCan to="deliveries:retry" />}>
        {compact ? (
          <IconButton {...shared} size="sm" label={label} />
        ) : (
          <Button {...shared} {...appearance}>
            {label}
          </Button>
        )}
      </Tooltip>
      {asking && (
        <SendAgainDialog
          delivery={delivery}
          onClose={() => setAsking(false)}
          onQueued={(queued) => {
            setAsking(false);
            tell(queued);
          }}
        />
      )}
    </>
  );
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
