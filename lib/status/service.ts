import { CircleCheck, CircleDashed, CircleHelp, CircleX, TriangleAlert, Wrench } from "lucide-react";
import { byName } from "#contract/by-name.ts";
import type { IncidentImpact, IncidentStatus, ServiceState } from "#contract/status-constants.ts";
import { formatCount } from "../format.ts";
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

const idle: StatusLook = {
  label: "Not used",
  tone: "waiting",
  icon: CircleDashed,
  meaning: "Nothing ran here in the last 30 days, so it is unknown whether it works",
};

/**
 * The look of a model's or region's current state. `share` is the share of its runs that succeeded: where
 * nothing ran, nothing is known to work.
 */
export function serviceLook(state: string, share: number | null): StatusLook {
  return state === "operational" && share === null ? idle : knownOr(states, state, unknown(state));
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

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `2026-11-23` as `23 Nov`. */
export function dayLabel(day: string): string {
  const [, month = "", date = ""] = day.split("-");
  return `${Number(date)} ${months[Number(month) - 1] ?? month}`;
}

/** The share of successful runs as text. */
export function shareLabel(share: number | null): string {
  return share === null ? "nothing ran" : `${Math.round(share * 1000) / 10} %`;
}

/** The look of a day: `good` without a noticeable fault, `bad` if at least a tenth of the runs failed. */
export type ShareLevel = "none" | "good" | "warn" | "bad";

const [noticeable, serious] = [0.99, 0.9];

export function levelOf(share: number | null): ShareLevel {
  if (share === null) return "none";
  if (share >= noticeable) return "good";
  return share > serious ? "warn" : "bad";
}

export interface DayShare {
  day: string;
  share: number | null;
}

/** The days as a sentence, which names only those with faults. */
export function describeDays(days: readonly DayShare[]): string {
  const ran = days.filter(({ share }) => share !== null);
  if (ran.length === 0) return `Nothing ran in ${formatCount(days.length, "day")}.`;
  const faults = ran.filter(({ share }) => share !== 1);
  const idle = days.length - ran.length;
  const named = faults.map(({ day, share }) => `${dayLabel(day)} ${shareLabel(share)}`).join(", ");
  return `${named ? `Days with faults: ${named}.` : "No faults."}${idle > 0 ? ` Nothing ran on ${formatCount(idle, "day")}.` : ""}`;
}

const healthy: StatusLook = {
  label: "Healthy",
  tone: "good",
  icon: CircleCheck,
  meaning: "Requests are routed here",
};

const degraded: StatusLook = {
  label: "Degraded",
  tone: "warn",
  icon: TriangleAlert,
  meaning: "Some recent requests failed here",
};

const down: StatusLook = {
  label: "Down",
  tone: "bad",
  icon: CircleX,
  meaning: "No requests are routed here",
};

/**
 * States of regions and deployments. The catalog calls the worst one `unhealthy`, `/regions` calls it `down`.
 */
const looks = byName<StatusLook>({
  healthy,
  degraded,
  down,
  unhealthy: { ...down, label: "Unhealthy" },
});

/** The look of a region or deployment status. An unknown status is neutral, with its raw text. */
export function regionLook(status: string): StatusLook {
  return knownOr(looks, status, {
    label: status,
    tone: "waiting",
    icon: CircleHelp,
    meaning: "Unknown status",
  });
}
