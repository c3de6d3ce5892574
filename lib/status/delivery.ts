import { Ban, CircleCheck, CircleHelp, Hourglass, Skull, TriangleAlert } from "lucide-react";
import type { DeliveryStatus } from "#contract/webhook.ts";
import { knownOr, type StatusLook } from "./status-look.ts";

interface DeliveryLook extends StatusLook {
  canRetry: boolean;
  /** Why it cannot be sent again by hand. */
  retryRefusal: string | null;
  /** The gateway may still change it by itself. */
  open: boolean;
}

export const deliveryLooks: Record<DeliveryStatus, DeliveryLook> = {
  pending: {
    label: "Pending",
    tone: "busy",
    icon: Hourglass,
    meaning: "Its first attempt is due or under way",
    canRetry: false,
    retryRefusal: "The first attempt has not finished",
    open: true,
  },
  delivered: {
    label: "Delivered",
    tone: "good",
    icon: CircleCheck,
    meaning: "The receiver answered 2xx in time",
    canRetry: false,
    retryRefusal: "It has arrived already",
    open: false,
  },
  failed: {
    label: "Failed",
    tone: "warn",
    icon: TriangleAlert,
    meaning: "The last attempt failed; another one is scheduled",
    canRetry: true,
    retryRefusal: null,
    open: true,
  },
  "dead-letter": {
    label: "Dead letter",
    tone: "bad",
    icon: Skull,
    meaning: "All attempts failed; only a retry by hand sends it again",
    canRetry: true,
    retryRefusal: null,
    open: false,
  },
  canceled: {
    label: "Canceled",
    tone: "gone",
    icon: Ban,
    meaning: "Its endpoint was deleted",
    canRetry: false,
    retryRefusal: "Its endpoint was deleted",
    open: false,
  },
};

/** How a delivery's status looks and what it allows; an unknown one is neutral, in its own words. */
export function deliveryLook(status: string): DeliveryLook {
  return knownOr(deliveryLooks, status, {
    label: status,
    tone: "waiting",
    icon: CircleHelp,
    meaning: "A status this console does not know",
    canRetry: false,
    retryRefusal: "Its status is not known",
    open: false,
  });
}
