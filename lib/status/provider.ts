import { CircleCheck, CircleHelp, LogOut, OctagonAlert } from "lucide-react";
import { byName } from "#contract/by-name.ts";
import type { OperatorProvider } from "#contract/operator/providers.ts";
import { knownOr, type StatusLook } from "./status-look.ts";

const looks = byName<StatusLook>({
  active: {
    label: "In use",
    tone: "good",
    icon: CircleCheck,
    meaning: "The provider runs the operations that are mapped to it",
  },
  leaving: {
    label: "Leaving",
    tone: "busy",
    icon: LogOut,
    meaning: "The provider accepts no new runs, and is removed when its running predictions have ended",
  },
  problem: { label: "Cannot be used", tone: "bad", icon: OctagonAlert, meaning: "See the problem below" },
});

/** The look of a provider. Its problems take precedence. */
export function providerLook({ status, problem }: OperatorProvider): StatusLook {
  return knownOr(looks, problem ? "problem" : status, {
    label: status,
    tone: "waiting",
    icon: CircleHelp,
    meaning: "Unknown status",
  });
}
