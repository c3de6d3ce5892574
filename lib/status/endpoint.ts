import { CircleCheck, CircleOff, CirclePause, OctagonAlert, TriangleAlert } from "lucide-react";
import type { Endpoint, endpointConditions } from "#contract/webhook.ts";
import type { Words } from "../../messages/words.ts";
import { failureStreak } from "../webhooks/refusals.ts";
import { type State, type StatusLook, statesOf } from "./status-look.ts";

interface EndpointRules {
  canEnable: boolean;
  canDisable: boolean;
  canTest: boolean;
  canPause: boolean;
}

const enabled = { canEnable: false, canDisable: true, canTest: true, canPause: true };

/** By the conditions that lists filter by. */
const endpoints: Record<(typeof endpointConditions)[number], State & EndpointRules> = {
  enabled: {
    label: "endpointEnabled",
    tone: "good",
    icon: CircleCheck,
    meaning: "endpointEnabledMeaning",
    ...enabled,
  },
  paused: {
    label: "endpointPaused",
    tone: "warn",
    icon: CirclePause,
    meaning: "endpointPausedMeaning",
    canEnable: true,
    canDisable: true,
    canTest: false,
    canPause: false,
  },
  disabled: {
    label: "endpointDisabled",
    tone: "gone",
    icon: CircleOff,
    meaning: "endpointDisabledMeaning",
    canEnable: true,
    canDisable: false,
    canTest: false,
    canPause: false,
  },
  "auto-disabled": {
    label: "endpointAutoDisabled",
    tone: "bad",
    icon: OctagonAlert,
    meaning: "endpointAutoDisabledMeaning",
    canEnable: true,
    canDisable: false,
    canTest: false,
    canPause: false,
  },
  /** An enabled endpoint that accepts no event. */
  failing: {
    label: "endpointFailing",
    tone: "bad",
    icon: TriangleAlert,
    meaning: "endpointFailingMeaning",
    ...enabled,
  },
};

const {
  look,
  rules: endpointRules,
  options: endpointOptions,
} = statesOf<EndpointRules>(endpoints, {
  canEnable: false,
  canDisable: false,
  canTest: false,
  canPause: false,
});

export { endpointOptions, endpointRules };

/**
 * The look and actions of an endpoint: by its status and, for an enabled endpoint, by the results of its
 * attempts.
 */
export function endpointLook(
  t: Words<"states">,
  endpoint: Pick<Endpoint, "status" | "health">,
): StatusLook & EndpointRules {
  return look(t, failureStreak(endpoint) === null ? endpoint.status : "failing");
}
