import { CircleCheck, CircleHelp, CircleX, TriangleAlert, Wrench } from "lucide-react";
import { byName } from "#contract/by-name.ts";
import type { IncidentImpact, IncidentStatus, ServiceState } from "#contract/status-constants.ts";
import { knownOr, type StatusLook } from "./status-look.ts";

const unknown = (label: string): StatusLook => ({
  label,
  tone: "waiting",
  icon: CircleHelp,
  meaning: "Unknown",
});

const states = byName<StatusLook>({
  operational: { label: "Works", tone: "good", icon: CircleCheck, meaning: "Requests are answered" },
  degraded: {
    label: "Degraded",
    tone: "warn",
    icon: TriangleAlert,
    meaning: "Some requests fail, or run at another provider",
  },
  down: { label: "Down", tone: "bad", icon: CircleX, meaning: "Requests fail now" },
} satisfies Record<ServiceState, StatusLook>);

/** The look of a model's or region's current state. */
export function serviceLook(state: string): StatusLook {
  return knownOr(states, state, unknown(state));
}

const impacts = byName<StatusLook>({
  minor: { label: "Minor", tone: "warn", icon: TriangleAlert, meaning: "Some requests are affected" },
  major: { label: "Major", tone: "bad", icon: CircleX, meaning: "Many or all requests are affected" },
  maintenance: { label: "Maintenance", tone: "busy", icon: Wrench, meaning: "Planned work" },
} satisfies Record<IncidentImpact, StatusLook>);

export function impactLook(impact: string): StatusLook {
  return knownOr(impacts, impact, unknown(impact));
}

const faultLabels: Record<IncidentStatus, string> = {
  investigating: "Investigating",
  identified: "Cause found",
  monitoring: "Watching the fix",
  resolved: "Resolved",
};
const maintenanceLabels: Record<IncidentStatus, string> = {
  investigating: "Planned",
  identified: "In progress",
  monitoring: "Under investigation",
  resolved: "Done",
};

/** The label of an incident's status. Planned maintenance has other labels. */
export function incidentStatusLabel(status: IncidentStatus, impact: IncidentImpact): string {
  return (impact === "maintenance" ? maintenanceLabels : faultLabels)[status] ?? status;
}
