"use client";

import { RotateCw, Send } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { Delivery } from "#contract/webhook.ts";
import { useWords } from "#words";
import { useAccess } from "@/components/team/access";
import { WhoCan } from "@/components/team/permitted";
import { Button, IconButton } from "@/components/ui/button";
import { usePageRouter } from "@/components/ui/page/link";
import { useToast } from "@/components/ui/toast";
import { Tooltip } from "@/components/ui/tooltip";
import { deliveryRules } from "@/lib/status/delivery";
import type { Words } from "@/messages/words";

const SendAgainDialog = dynamic(
  () => import("./send-again-dialog.tsx").then((module) => module.SendAgainDialog),
  { ssr: false },
);

/** Loaded with the first click, because a list of fifty buttons needs none of it. */
const loadRetry = () => import("./retry-delivery.ts");
const codeNotLoaded = (t: Words<"webhooks">) => ({
  ok: false as const,
  toast: { tone: "bad" as const, title: t("retryNotQueued"), description: t("consoleNotReached") },
});

/** The effect of a retry, or why this delivery cannot be retried. */
function retryNote(
  t: Words<"webhooks">,
  { status, retried_as: retry }: RetryButtonProps["delivery"],
): string {
  const { canRetry, canResend, retryRefusal } = deliveryRules(status);
  if (canResend) return t("sendsTheEventAgain");
  if (canRetry && retry) return t("wasRetriedSince");
  if (canRetry) return t("retriesTheEvent");
  return t.text(retryRefusal ?? "unknownNotRetried");
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
  const t = useWords("webhooks");
  const router = usePageRouter();
  const { toast } = useToast();
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState(false);
  const { may, acts } = useAccess();
  const permitted = may("deliveries:retry");
  const rules = deliveryRules(delivery.status);
  const wasAccepted = rules.canResend === true;
  const label = wasAccepted ? t("sendAgain") : t("retry");
  const canRetry = permitted && ((rules.canRetry && !delivery.retried_as) || wasAccepted);
  if (!permitted && !acts) return null;

  const retry = async () => {
    setBusy(true);
    const answer = await loadRetry()
      .then(({ retryDelivery }) => retryDelivery(t, delivery.id))
      .catch(() => codeNotLoaded(t));
    setBusy(false);
    if (!answer.ok) return toast(answer.toast);
    tell(answer.data);
  };

  const tell = (queued: Delivery) => {
    const href = `/webhooks/deliveries/${queued.id}`;
    onQueued?.(queued);
    toast({
      title: t("queued"),
      description: t("theSameEventWillBe"),
      ...(!follow && { action: { label: t("openDelivery"), onClick: () => router.push(href) } }),
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
      <Tooltip content={permitted ? retryNote(t, delivery) : <WhoCan to="deliveries:retry" />}>
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
