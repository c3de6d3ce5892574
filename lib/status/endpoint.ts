import { CircleCheck, CircleHelp, CirclePause, OctagonAlert } from "lucide-react";
import type { EndpointStatus } from "#contract/webhook.ts";
import { knownOr, type StatusLook } from "./status-look.ts";

interface EndpointLook extends StatusLook {
  canEnable: boolean;
  canDisable: boolean;
  canTest: boolean;
}

export const endpointLooks: Record<EndpointStatus, EndpointLook> = {
  enabled: {
    label: "Enabled",
    tone: "good",
    icon: CircleCheck,
    meaning: "It receives the events it subscribes to",
    canEnable: false,
    canDisable: true,
    canTest: true,
  },
  disabled: {
    label: "Disabled",
    tone: "gone",
    icon: CirclePause,
    meaning: "Nothing is sent; what waits goes out once it is enabled",
    canEnable: true,
    canDisable: false,
    canTest: false,
  },
  "auto-disabled": {
    label: "Disabled after failures",
    tone: "bad",
    icon: OctagonAlert,
    meaning: "The gateway stopped sending because nothing had arrived for too long",
    canEnable: true,
    canDisable: false,
    canTest: false,
  },
};

/** How an endpoint's status looks and what it allows; an unknown one is neutral, in its own words. */
export function endpointLook(status: string): EndpointLook {
  return knownOr(endpointLooks, status, {
    label: status,
    tone: "waiting",
    icon: CircleHelp,
    meaning: "A status this console does not know",
    canEnable: false,
    canDisable: false,
    canTest: false,
  });
}
