import { CircleCheck, CircleHelp, CircleOff, CirclePause, OctagonAlert, TriangleAlert } from "lucide-react";
import type { Endpoint, EndpointStatus, endpointConditions } from "#contract/webhook.ts";
import { failureStreak } from "../webhooks/refusals.ts";
import { knownOr, type StatusLook } from "./status-look.ts";

interface EndpointLook extends StatusLook {
  canEnable: boolean;
  canDisable: boolean;
  canTest: boolean;
  canPause: boolean;
}

export const endpointLooks: Record<EndpointStatus, EndpointLook> = {
  enabled: {
    label: "Enabled",
    tone: "good",
    icon: CircleCheck,
    meaning: "The endpoint receives the events that it subscribes to",
    canEnable: false,
    canDisable: true,
    canTest: true,
    canPause: true,
  },
  paused: {
    label: "Paused",
    tone: "warn",
    icon: CirclePause,
    meaning: "Deliveries wait until this endpoint is resumed",
    canEnable: true,
    canDisable: true,
    canTest: false,
    canPause: false,
  },
  disabled: {
    label: "Disabled",
    tone: "gone",
    icon: CircleOff,
    meaning: "Deliveries wait until this endpoint is enabled",
    canEnable: true,
    canDisable: false,
    canTest: false,
    canPause: false,
  },
  "auto-disabled": {
    label: "Disabled after failures",
    tone: "bad",
    icon: OctagonAlert,
    meaning: "Disabled by the gateway because every attempt failed for too long",
    canEnable: true,
    canDisable: false,
    canTest: false,
    canPause: false,
  },
};

/** An enabled endpoint that accepts no event. */
const failing: EndpointLook = {
  ...endpointLooks.enabled,
  label: "Failing",
  tone: "bad",
  icon: TriangleAlert,
  meaning: "The endpoint is enabled, but every recent attempt failed",
};

/** The looks of the conditions that lists filter by. */
export const endpointConditionLooks = { ...endpointLooks, failing } satisfies Record<
  (typeof endpointConditions)[number],
  EndpointLook
>;

/**
 * The look and actions of an endpoint: by its status and, for an enabled endpoint, by the results of its
 * attempts.
 */
export function endpointLookOf(endpoint: Pick<Endpoint, "status" | "health">): EndpointLook {
  return failureStreak(endpoint) === null ? endpointLook(endpoint.status) : failing;
}

/** The look and actions of an endpoint's status. An unknown status is neutral, with its raw text. */
export function endpointLook(status: string): EndpointLook {
  return knownOr(endpointLooks, status, {
    label: status,
    tone: "waiting",
    icon: CircleHelp,
    meaning: "Unknown status",
    canEnable: false,
    canDisable: false,
    canTest: false,
    canPause: false,
  });
}
