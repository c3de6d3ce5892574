import { Ban, CircleCheck, CircleHelp, CirclePause, Hourglass, Skull, TriangleAlert } from "lucide-react";
import type { Delivery, DeliveryStatus } from "#contract/webhook.ts";
import type { Key } from "../../messages/words.ts";
import { knownOr, type StatusLook } from "./status-look.ts";

interface DeliveryLook extends StatusLook {
  canRetry: boolean;
  /** The delivery succeeded before. Another route can send it again. */
  canResend?: true;
  /** The message that says why the delivery cannot be retried. */
  retryRefusal: Key<"webhooks"> | null;
  /** The gateway may still change the status. */
  open: boolean;
}

export const deliveryLooks: Record<DeliveryStatus, DeliveryLook> = {
  pending: {
    label: "Pending",
    tone: "busy",
    icon: Hourglass,
    meaning: "The first attempt is due or in progress",
    canRetry: false,
    retryRefusal: "pendingNotRetried",
    open: true,
  },
  waiting: {
    label: "Waiting",
    tone: "waiting",
    icon: CirclePause,
    meaning: "The endpoint is paused or disabled; this delivery waits until the endpoint is enabled",
    canRetry: false,
    retryRefusal: "waitingNotRetried",
    open: true,
  },
  delivered: {
    label: "Delivered",
    tone: "good",
    icon: CircleCheck,
    meaning: "The receiver responded with 2xx in time",
    canRetry: false,
    canResend: true,
    retryRefusal: "deliveredNotRetried",
    open: false,
  },
  failed: {
    label: "Failed",
    tone: "warn",
    icon: TriangleAlert,
    meaning: "The last attempt failed; another attempt is scheduled",
    canRetry: true,
    retryRefusal: null,
    open: true,
  },
  "dead-letter": {
    label: "Dead letter",
    tone: "bad",
    icon: Skull,
    meaning: "No more automatic attempts. Choose Retry to send the event again",
    canRetry: true,
    retryRefusal: null,
    open: false,
  },
  canceled: {
    label: "Canceled",
    tone: "gone",
    icon: Ban,
    meaning: "The endpoint was deleted, or the delivery was dropped when the endpoint was enabled",
    canRetry: false,
    retryRefusal: "canceledNotRetried",
    open: false,
  },
};

/** The look and actions of a delivery status. An unknown status is neutral, with its raw text. */
export function deliveryLook(status: string): DeliveryLook {
  return knownOr(deliveryLooks, status, {
    label: status,
    tone: "waiting",
    icon: CircleHelp,
    meaning: "Unknown status",
    canRetry: false,
    retryRefusal: "unknownNotRetried",
    open: false,
  });
}

/** Whether the status of the delivery may still change without a person. */
export function isDeliveryLive(delivery: Delivery): boolean {
  if (delivery.status === "pending") return true;
  return delivery.status === "failed" && delivery.next_attempt_at !== null && delivery.retried_as === null;
}

/** A delivery that is due for longer than this has not been sent because of the rate limit of its endpoint. */
const heldBackMs = 3_000;

/** Whether the rate limit of its endpoint holds a due delivery back. One that just became due is sent at once. */
export function isHeldBack({ waits_for: reason, next_attempt_at: dueAt }: Delivery, nowMs: number): boolean {
  return reason === "rate" && dueAt !== null && nowMs - Date.parse(dueAt) > heldBackMs;
}
