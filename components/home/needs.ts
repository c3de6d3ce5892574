import type { Prediction } from "#contract/prediction.ts";
import type { Endpoint } from "#contract/webhook.ts";
import { formatCount } from "@/lib/format";
import { disabledReason } from "@/lib/webhooks/disabled-reason";
import { endpointAddress } from "@/lib/webhooks/endpoint-address";
import type { HomeSummary } from "./summary.ts";

/** Something that only a person can set right, with where to do it. */
export interface Need {
  key: string;
  tone: "bad" | "warn";
  title: string;
  detail: string;
  action: { label: string; href: string };
  /** Predictions whose files can be saved on the spot. */
  saves?: readonly Prediction[];
}

interface NeedSources {
  summary: HomeSummary;
  /** There are more dead letters than were counted. */
  moreDeadLetters: boolean;
  endpoints: readonly Endpoint[];
  /** Succeeded predictions whose files go within hours. */
  expiring: readonly Prediction[];
  troubledRegions: readonly string[];
}

/** What needs a person, the worst first. */
export function needsOf({
  summary,
  moreDeadLetters,
  endpoints,
  expiring,
  troubledRegions,
}: NeedSources): Need[] {
  const needs: Need[] = endpoints
    .filter(({ status }) => status === "auto-disabled")
    .map(({ id, url, disabled_reason }) => ({
      key: id,
      tone: "bad",
      title: `Mend ${endpointAddress(url)} and enable it again`,
      detail: `The gateway stopped sending to this endpoint. ${disabledReason(disabled_reason)}`,
      action: { label: "Open endpoint", href: `/webhooks/endpoints/${id}` },
    }));
  if (summary.deadLetters > 0)
    needs.push({
      key: "dead-letters",
      tone: "bad",
      title: `Send ${summary.deadLetters}${moreDeadLetters ? " or more" : ""} lost ${summary.deadLetters === 1 ? "event" : "events"} again`,
      detail: "All their attempts failed within the last 24 hours; nothing sends them again by itself.",
      action: { label: "Open dead letters", href: "/webhooks/deliveries?status=dead-letter&since=24h" },
    });
  if (expiring.length > 0)
    needs.push({
      key: "expiring",
      tone: "warn",
      title: `Save the files of ${formatCount(expiring.length, "run")}`,
      detail: "They are removed within six hours.",
      action: { label: "Open predictions", href: "/predictions?status=succeeded" },
      saves: expiring,
    });
  if (troubledRegions.length > 0)
    needs.push({
      key: "regions",
      tone: "warn",
      title: "Choose another region where a run names one",
      detail: `Not healthy: ${troubledRegions.join(", ")}.`,
      action: { label: "Open regions", href: "/regions" },
    });
  return needs;
}
