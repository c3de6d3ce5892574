import type { ActivitySum } from "#contract/activity.ts";
import type { Counted, List } from "#contract/list.ts";
import type { Prediction } from "#contract/prediction.ts";
import type { Endpoint } from "#contract/webhook.ts";
import { formatCount, formatNumber } from "@/lib/format";
import { endpointAddress, shortAddress } from "@/lib/webhooks/addresses";
import { disabledReason } from "@/lib/webhooks/refusals";

/** A problem that somebody must fix, with a link to the page for it. */
export interface Need {
  key: string;
  tone: "bad" | "warn";
  title: string;
  detail: string;
  action: { label: string; href: string };
  /** Predictions whose files the user can save directly from this list. */
  saves?: readonly Prediction[];
}

/** The requests of a key or person in the last 24 hours, of which some were refused. */
export interface Refusals extends Pick<ActivitySum, "group" | "runs" | "refused" | "refused_by_code"> {
  /** Name of the key. Null for a person in the console, and for several keys together. */
  name: string | null;
}

interface NeedSources {
  /** Deliveries that only a person can retry. Null if they were not counted. */
  deadLetters: Counted | null;
  /** Endpoints that the gateway stopped, those that people disabled, and enabled ones that accept no event. */
  endpoints: Record<"stopped" | "disabled" | "failing", Pick<List<Endpoint>, "data" | "has_more" | "total">>;
  refusals: readonly Refusals[];
  /** Succeeded predictions with files that are removed within hours. */
  expiring: readonly Prediction[];
  troubledRegions: readonly string[];
  /** Names of service keys without a responsible person. */
  unansweredKeys: readonly string[];
}

/** Warn about outputs that will be removed within this time. */
export const soonMs = 6 * 3_600_000;

/** Whether the prediction's files will be removed within hours. */
export function goesSoon({ status, data_removed, expires_at }: Prediction, nowMs: number): boolean {
  if (status !== "succeeded" || data_removed || expires_at === null) return false;
  const leftMs = Date.parse(expires_at) - nowMs;
  return leftMs > 0 && leftMs < soonMs;
}

/** Problems that somebody must fix, the worst first. */
export function needsOf({
  deadLetters,
  endpoints,
  refusals,
  expiring,
  troubledRegions,
  unansweredKeys,
}: NeedSources): Need[] {
  const stopped = countOf(endpoints.stopped);
  const needs: Need[] =
    stopped > 1
      ? [severalStopped(stopped)]
      : endpoints.stopped.data.map(({ id, url, disabled_reason }) => ({
          key: id,
          tone: "bad",
          title: `Fix the endpoint ${endpointAddress(url)} and enable it again`,
          detail: `The gateway stopped sending to this endpoint. ${disabledReason(disabled_reason)}`,
          action: { label: "Open endpoint", href: `/webhooks/endpoints/${id}` },
        }));
  needs.push(...refusals.filter(isWorthFixing).map(needOfRefusals));
  if (deadLetters && deadLetters.count > 0)
    needs.push({
      key: "dead-letters",
      tone: "bad",
      title: `Retry ${deadLettersText(deadLetters)}`,
      detail: "All attempts failed in the last 24 hours. Fix the endpoint first.",
      action: { label: "Open dead letters", href: "/webhooks/deliveries?status=dead-letter&since=24h" },
    });
  const waited = endpoints.disabled.data.filter(({ waiting_deliveries: waiting = 0 }) => waiting > 0);
  const [firstWaited] = waited;
  if (firstWaited) {
    const count = waited.reduce((sum, endpoint) => sum + (endpoint.waiting_deliveries ?? 0), 0);
    const several = waited.length > 1;
    // Disabled endpoints beyond the first page were not read.
    const { has_more: more } = endpoints.disabled;
    needs.push({
      key: "waiting",
      tone: "warn",
      title: `${countText({ count, more }, "delivery waits", "deliveries wait")} for ${several ? `${waited.length}${more ? "+" : ""} disabled endpoints` : "a disabled endpoint"}`,
      detail: `Enable ${several ? "them" : shortAddress(firstWaited.url, 48).text} to send or drop the deliveries.`,
      action: several
        ? { label: "Open endpoints", href: "/webhooks/endpoints?status=disabled" }
        : { label: "Open endpoint", href: `/webhooks/endpoints/${firstWaited.id}` },
    });
  }
  const failing = countOf(endpoints.failing);
  const [first] = endpoints.failing.data;
  if (first)
    needs.push({
      key: "failing-endpoints",
      tone: "warn",
      title: failing > 1 ? `Check ${formatNumber(failing)} endpoints` : "Check an endpoint",
      detail: `${namesOf(endpoints.failing.data, failing)} ${failing > 1 ? "reject" : "rejects"} every event.`,
      action:
        failing > 1
          ? { label: "Open endpoints", href: "/webhooks/endpoints?status=failing&sort=failures" }
          : { label: "Open endpoint", href: `/webhooks/endpoints/${first.id}` },
    });
  if (unansweredKeys.length > 0)
    needs.push({
      key: "unanswered-keys",
      tone: "warn",
      title: `Take over ${formatCount(unansweredKeys.length, "service key")}`,
      detail: `Nobody is responsible for ${unansweredKeys.join(", ")}, so their adult and portrait operations are refused.`,
      action: { label: "Open team", href: "/settings/team" },
    });
  if (expiring.length > 0)
    needs.push({
      key: "expiring",
      tone: "warn",
      title: `Save the files of ${formatCount(expiring.length, "prediction")}`,
      detail: "These files will be removed within six hours.",
      action: { label: "Open predictions", href: listOf(expiring) },
      saves: expiring,
    });
  if (troubledRegions.length > 0)
    needs.push({
      key: "regions",
      tone: "warn",
      title: "Use another region if your requests specify one",
      detail: `Unhealthy: ${troubledRegions.join(", ")}.`,
      action: { label: "Open status and regions", href: "/status-and-regions" },
    });
  return needs;
}

/** Link to the list of exactly these predictions: those that succeeded between the first and the last. */
function listOf(predictions: readonly Prediction[]): string {
  const times = predictions.map(({ created_at }) => Date.parse(created_at));
  const at = (ms: number) => encodeURIComponent(new Date(ms).toISOString());
  const [from, to] = [Math.min(...times) - 1, Math.max(...times) + 1];
  return `/predictions?status=succeeded&created_after=${at(from)}&created_before=${at(to)}`;
}

/** Fewer refused requests, or a smaller share of all, are tries of a person who writes a program. */
const minRefused = 5;
const minRefusedShare = 0.2;

function isWorthFixing({ runs, refused }: Refusals): boolean {
  return refused >= minRefused && refused / (runs + refused) >= minRefusedShare;
}

/** The program that sends the requests must change, so the link shows them with their messages. */
function needOfRefusals({ group, name, runs, refused, refused_by_code: codes }: Refusals): Need {
  const isPerson = group?.startsWith("usr_") ?? false;
  const sender = isPerson ? "from the console" : name === null ? "of other keys" : `of key ${name}`;
  const [first] = codes;
  const filter = {
    ...(group?.startsWith("key_") && { key_id: group }),
    ...(group !== null && isPerson && { user_id: group }),
    ...(codes.length === 1 && first && { code: first.code }),
    ...(codes.length !== 1 && { status_class: "4xx" }),
    since: "24h",
  };
  return {
    key: `refused-${group}`,
    tone: refused > runs ? "bad" : "warn",
    title: `${formatNumber(refused)} of ${formatNumber(runs + refused)} requests ${sender} are refused: ${first?.code ?? ""}`,
    detail:
      codes.length > 1
        ? `${formatNumber(first?.count ?? 0)} for this reason, and ${formatCount(codes.length - 1, "other reason")}.`
        : "Nothing runs until the requests change.",
    action: { label: "Open requests", href: `/requests?${new URLSearchParams(filter)}` },
  };
}

function deadLettersText(dead: Counted): string {
  return countText(dead, "failed delivery", "failed deliveries");
}

function countText({ count, more }: Counted, one: string, several: string): string {
  return more ? `${formatNumber(count)}+ ${several}` : formatCount(count, one, several);
}

function severalStopped(count: number): Need {
  return {
    key: "stopped",
    tone: "bad",
    title: `Fix ${formatNumber(count)} endpoints and enable them again`,
    detail: "The gateway stopped sending to these endpoints.",
    action: { label: "Open endpoints", href: "/webhooks/endpoints?status=auto-disabled" },
  };
}

function countOf({ data, total }: Pick<List<Endpoint>, "data" | "total">): number {
  return total?.count ?? data.length;
}

/** At most this many endpoints are named. The others are counted. */
export const maxNamed = 2;

function namesOf(endpoints: readonly Endpoint[], count: number): string {
  const names = endpoints.slice(0, maxNamed).map(({ url }) => shortAddress(url, 48).text);
  const others = count - names.length;
  return others > 0 ? `${names.join(", ")} and ${formatNumber(others)} more` : names.join(", ");
}
