import { CircleCheck, CircleDashed, CircleHelp, CircleX, TriangleAlert, Wrench } from "lucide-react";
import { byName } from "#contract/by-name.ts";
import type { IncidentImpact, IncidentStatus, ServiceState } from "#contract/status-constants.ts";
import { spacedFigures } from "../../messages/marks.ts";
import type { Words } from "../../messages/words.ts";
import { listText } from "../words/list-text.ts";
import { knownOr, type StatusLook } from "./status-look.ts";

type Say = Words<"status">;

const unknown = (t: Say, label: string): StatusLook => ({
  label,
  tone: "waiting",
  icon: CircleHelp,
  meaning: t("unknown"),
});

/**
 * The look of a model's or region's current state. `share` is the share of its runs that succeeded: where
 * nothing ran, nothing is known to work.
 */
export function serviceLook(t: Say, state: string, share: number | null): StatusLook {
  if (state === "operational" && share === null)
    return { label: t("notUsed"), tone: "waiting", icon: CircleDashed, meaning: t("notUsedMeaning") };
  const states = byName<StatusLook>({
    operational: { label: t("works"), tone: "good", icon: CircleCheck, meaning: t("worksMeaning") },
    degraded: { label: t("degraded"), tone: "warn", icon: TriangleAlert, meaning: t("degradedMeaning") },
    down: { label: t("down"), tone: "bad", icon: CircleX, meaning: t("downMeaning") },
  } satisfies Record<ServiceState, StatusLook>);
  return knownOr(states, state, unknown(t, state));
}

export function impactLook(t: Say, impact: string): StatusLook {
  const impacts = byName<StatusLook>({
    minor: { label: t("minor"), tone: "warn", icon: TriangleAlert, meaning: t("minorMeaning") },
    major: { label: t("major"), tone: "bad", icon: CircleX, meaning: t("majorMeaning") },
    maintenance: { label: t("maintenance"), tone: "busy", icon: Wrench, meaning: t("maintenanceMeaning") },
  } satisfies Record<IncidentImpact, StatusLook>);
  return knownOr(impacts, impact, unknown(t, impact));
}

const faultLabels = {
  investigating: "investigating",
  identified: "causeFound",
  monitoring: "watchingTheFix",
  resolved: "resolved",
} as const satisfies Record<IncidentStatus, string>;

const maintenanceLabels = {
  investigating: "planned",
  identified: "inProgress",
  monitoring: "underInvestigation",
  resolved: "done",
} as const satisfies Record<IncidentStatus, string>;

/** The label of an incident's status. Planned maintenance has other labels. */
export function incidentStatusLabel(t: Say, status: IncidentStatus, impact: IncidentImpact): string {
  const labels = impact === "maintenance" ? maintenanceLabels : faultLabels;
  return Object.hasOwn(labels, status) ? t(labels[status]) : status;
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `2026-11-23` as `23 Nov`. */
export function dayLabel({ language }: Say, day: string): string {
  const [, month = "", date = ""] = day.split("-");
  if (language === "en") return `${Number(date)} ${months[Number(month) - 1] ?? month}`;
  const form = { month: "short", day: "numeric", timeZone: "UTC" } as const;
  return spacedFigures(new Date(day).toLocaleDateString(language, form));
}

/** The share of successful runs as text. */
export function shareLabel(t: Say, share: number | null): string {
  return share === null ? t("nothingRan") : t("percent", { percent: Math.round(share * 1000) / 10 });
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
export function describeDays(t: Say, days: readonly DayShare[]): string {
  const ran = days.filter(({ share }) => share !== null);
  if (ran.length === 0) return t("nothingRanIn", { count: days.length });
  const faults = ran.filter(({ share }) => share !== 1);
  const named = faults.map(({ day, share }) => `${dayLabel(t, day)} ${shareLabel(t, share)}`);
  const idle = days.length - ran.length;
  return named.length > 0
    ? t("daysWithFaults", { days: listText(t.language, named, "plain"), idle })
    : t("noFaults", { idle });
}

/** The look of a region or deployment status. An unknown status is neutral, with its raw text. */
export function regionLook(t: Say, status: string): StatusLook {
  const down: StatusLook = { label: t("down"), tone: "bad", icon: CircleX, meaning: t("regionDownMeaning") };
  // The catalog calls the worst state `unhealthy`, `/regions` calls it `down`.
  const looks = byName<StatusLook>({
    healthy: { label: t("healthy"), tone: "good", icon: CircleCheck, meaning: t("healthyMeaning") },
    degraded: {
      label: t("degraded"),
      tone: "warn",
      icon: TriangleAlert,
      meaning: t("regionDegradedMeaning"),
    },
    down,
    unhealthy: { ...down, label: t("unhealthy") },
  });
  return knownOr(looks, status, {
    label: status,
    tone: "waiting",
    icon: CircleHelp,
    meaning: t("unknownStatus"),
  });
}
