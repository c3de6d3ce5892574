import type { Figure } from "./figures.tsx";
import type { HomeSummary } from "./summary.ts";

/** Whether a list was longer than one page, so that its counts are a least. */
interface More {
  runs: boolean;
  deliveries: boolean;
  deadLetters: boolean;
}

const runs = "/predictions?period=24h";
const deliveries = "/webhooks/deliveries?since=24h";

/** The counts of the last 24 hours, each leading to just what it counts; without those a gateway cannot list. */
export function homeFigures(
  summary: HomeSummary,
  more: More,
  offers: { runs: boolean; deliveries: boolean },
): Figure[] {
  const ofRuns: Figure[] = [
    { label: "Running", count: summary.running, href: `${runs}&status=processing`, tone: "busy" },
    { label: "Succeeded", count: summary.succeeded, href: `${runs}&status=succeeded`, atLeast: more.runs },
    {
      label: "Failed",
      count: summary.failed,
      href: `${runs}&status=failed`,
      tone: "bad",
      atLeast: more.runs,
    },
  ];
  const ofDeliveries: Figure[] = [
    {
      label: "Delivered",
      count: summary.delivered,
      href: `${deliveries}&status=delivered`,
      atLeast: more.deliveries,
    },
    {
      label: "Deliveries retrying",
      count: summary.failing,
      href: `${deliveries}&status=failed`,
      tone: "warn",
      atLeast: more.deliveries,
    },
    {
      label: "Dead letters",
      count: summary.deadLetters,
      href: `${deliveries}&status=dead-letter`,
      tone: "bad",
      atLeast: more.deadLetters,
    },
  ];
  return [...(offers.runs ? ofRuns : []), ...(offers.deliveries ? ofDeliveries : [])];
}
