import { Ban, CircleCheck, CirclePause, Hourglass, Skull, TriangleAlert } from "lucide-react";
import type { Delivery, DeliveryStatus } from "#contract/webhook.ts";
import type { Key } from "../../messages/words.ts";
import { type State, statesOf } from "./status-look.ts";

interface DeliveryRules {
  canRetry: boolean;
  /** The delivery succeeded before. Another route can send it again. */
  canResend?: true;
  /** The message that says why the delivery cannot be retried. */
  retryRefusal: Key<"webhooks"> | null;
  /** The gateway may still change the status. */
  open: boolean;
}

const deliveries: Record<DeliveryStatus, State & DeliveryRules> = {
  pending: {
    label: "deliveryPending",
    tone: "busy",
    icon: Hourglass,
    meaning: "deliveryPendingMeaning",
    canRetry: false,
    retryRefusal: "pendingNotRetried",
    open: true,
  },
  waiting: {
    label: "deliveryWaiting",
    tone: "waiting",
    icon: CirclePause,
    meaning: "deliveryWaitingMeaning",
    canRetry: false,
    retryRefusal: "waitingNotRetried",
    open: true,
  },
  delivered: {
    label: "deliveryDelivered",
    tone: "good",
    icon: CircleCheck,
    meaning: "deliveryDeliveredMeaning",
    canRetry: false,
    canResend: true,
    retryRefusal: "deliveredNotRetried",
    open: false,
  },
  failed: {
    label: "deliveryFailed",
    tone: "warn",
    icon: TriangleAlert,
    meaning: "deliveryFailedMeaning",
    canRetry: true,
    retryRefusal: null,
    open: true,
  },
  "dead-letter": {
    label: "deliveryDeadLetter",
    tone: "bad",
    icon: Skull,
    meaning: "deliveryDeadLetterMeaning",
    canRetry: true,
    retryRefusal: null,
    open: false,
  },
  canceled: {
    label: "deliveryCanceled",
    tone: "gone",
    icon: Ban,
    meaning: "deliveryCanceledMeaning",
    canRetry: false,
    retryRefusal: "canceledNotRetried",
    open: false,
  },
};

export const {
  look: deliveryLook,
  rules: deliveryRules,
  options: deliveryOptions,
} = statesOf<DeliveryRules>(deliveries, { canRetry: false, retryRefusal: "unknownNotRetried", open: false });

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
