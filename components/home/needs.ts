import type { ActivitySum } from "#contract/activity.ts";
import type { Counted, List } from "#contract/list.ts";
import type { Cause } from "#contract/notice-constants.ts";
import type { NoticeGroup } from "#contract/notices.ts";
import type { Prediction } from "#contract/prediction.ts";
import type { Endpoint } from "#contract/webhook.ts";
import type { Formats } from "@/lib/format";
import { endpointAddress, shortAddress } from "@/lib/webhooks/addresses";
import { disabledReason } from "@/lib/webhooks/refusals";
import type { Words } from "@/messages/words";

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

/** All keys and people whose requests are refused mostly for the same reason. */
export interface RefusalCause {
  code: string;
  senders: readonly Refusals[];
  /** Finds these requests in their list. */
  filter: { code?: string; status_class?: "4xx"; key_id?: string; user_id?: string };
}

/** A cause with its sentence in the reader's language. */
export interface ExplainedCause extends RefusalCause {
  why: string;
}

interface NeedSources {
  webhooks: Words<"webhooks">;
  /** Deliveries that only a person can retry. Null if they were not counted. */
  deadLetters: Counted | null;
  /** Endpoints that the gateway stopped, those that people disabled, and enabled ones that accept no event. */
  endpoints: Record<"stopped" | "disabled" | "failing", Pick<List<Endpoint>, "data" | "has_more" | "total">>;
  refusals: readonly ExplainedCause[];
  /** Succeeded predictions with files that are removed within hours. */
  expiring: readonly Prediction[];
  troubledRegions: readonly string[];
  /** Unread notices by cause, as the bell shows them. */
  notices: readonly NoticeGroup[];
  /** Names of service keys without a responsible person. */
  unansweredKeys: readonly string[];
}

/** At most this many endpoints or senders are named. The others are counted. */
export const maxNamed = 2;

/** Warn about outputs that will be removed within this time. */
export const soonMs = 6 * 3_600_000;

/** Whether the prediction's files will be removed within hours. */
export function goesSoon({ status, data_removed, expires_at }: Prediction, nowMs: number): boolean {
  if (status !== "succeeded" || data_removed || expires_at === null) return false;
  const leftMs = Date.parse(expires_at) - nowMs;
  return leftMs > 0 && leftMs < soonMs;
}

/** Notices of what the page finds itself, as it is now, and those that are about no problem. */
const seenHere: ReadonlySet<Cause> = new Set<Cause>([
  "endpoint.failing",
  "endpoint.disabled",
  "endpoint.recovered",
  "delivery.exhausted",
  "outputs.expiring",
  "batch.finished",
  "member.joined",
  "guard.recovered",
  "installation_guard.recovered",
  "sign_in.new_place",
]);

/** Problems that somebody must fix, the worst first. */
export function needsOf(
  t: Words<"home">,
  format: Pick<Formats, "list">,
  {
    webhooks,
    deadLetters,
    endpoints,
    refusals,
    expiring,
    troubledRegions,
    unansweredKeys,
    notices,
  }: NeedSources,
): Need[] {
  const stopped = countOf(endpoints.stopped);
  const needs: Need[] =
    stopped > 1
      ? [severalStopped(t, stopped)]
      : endpoints.stopped.data.map(({ id, url, disabled_reason }) => ({
          key: id,
          tone: "bad",
          title: t("fixEndpoint", { url: endpointAddress(url) }),
          detail: t("stoppedSending", { why: disabledReason(webhooks, disabled_reason) }),
          action: { label: t("openEndpoint"), href: `/webhooks/endpoints/${id}` },
        }));
  needs.push(...refusals.map((cause) => needOfRefusals(t, format, cause)));
  if (deadLetters && deadLetters.count > 0)
    needs.push({
      key: "dead-letters",
      tone: "bad",
      title: t("retryDeadLetters", { count: deadLetters.count, more: moreOf(deadLetters.more) }),
      detail: t("retryDetail"),
      action: { label: t("openDeadLetters"), href: "/webhooks/deliveries?status=dead-letter&since=24h" },
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
      title: t("waits", {
        count,
        more: moreOf(more),
        endpoints: waited.length,
        shown: `${waited.length}${more ? "+" : ""}`,
      }),
      detail: t("waitsDetail", {
        several: several ? "several" : "one",
        url: shortAddress(firstWaited.url, 48).text,
      }),
      action: several
        ? { label: t("openEndpoints"), href: "/webhooks/endpoints?status=disabled" }
        : { label: t("openEndpoint"), href: `/webhooks/endpoints/${firstWaited.id}` },
    });
  }
  const failing = countOf(endpoints.failing);
  const [first] = endpoints.failing.data;
  if (first)
    needs.push({
      key: "failing-endpoints",
      tone: "warn",
      title: t("checkEndpoints", { count: failing }),
      detail: t("rejectEvents", {
        names: namesOf(t, format, endpoints.failing.data, failing),
        count: failing,
      }),
      action:
        failing > 1
          ? { label: t("openEndpoints"), href: "/webhooks/endpoints?status=failing&sort=failures" }
          : { label: t("openEndpoint"), href: `/webhooks/endpoints/${first.id}` },
    });
  needs.push(
    ...notices
      .filter(({ cause }) => !seenHere.has(cause))
      .map(
        ({ key, title, text, path }): Need => ({
          key,
          tone: "warn",
          title,
          detail: text,
          action: { label: t("openPage"), href: path },
        }),
      ),
  );
  if (unansweredKeys.length > 0)
    needs.push({
      key: "unanswered-keys",
      tone: "warn",
      title: t("takeOver", { count: unansweredKeys.length }),
      detail: t("takeOverDetail", { names: format.list(unansweredKeys) }),
      action: { label: t("openTeam"), href: "/settings/team" },
    });
  if (expiring.length > 0)
    needs.push({
      key: "expiring",
      tone: "warn",
      title: t("saveFiles", { count: expiring.length }),
      detail: t("saveFilesDetail"),
      action: { label: t("openPredictions"), href: listOf(expiring) },
      saves: expiring,
    });
  if (troubledRegions.length > 0)
    needs.push({
      key: "regions",
      tone: "warn",
      title: t("useOtherRegion"),
      detail: t("unhealthy", { names: format.list(troubledRegions) }),
      action: { label: t("openStatus"), href: "/status-and-regions" },
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

/** The refusals that are worth fixing, one for each reason: the reason that most requests of a sender have. */
export function refusalCauses(refusals: readonly Refusals[]): RefusalCause[] {
  const byCode = Map.groupBy(refusals.filter(isWorthFixing), (one) => one.refused_by_code[0]?.code ?? "");
  return [...byCode].map(([code, senders]) => {
    const [{ group = null } = {}] = senders.length === 1 ? senders : [];
    const isOnlyReason = senders.every(({ refused_by_code: codes }) => codes.length === 1);
    return {
      code,
      senders,
      filter: {
        ...(group?.startsWith("key_") && { key_id: group }),
        ...(group?.startsWith("usr_") && { user_id: group }),
        ...(isOnlyReason && code ? { code } : { status_class: "4xx" }),
      },
    };
  });
}

/** The program that sends the requests must change, so the link shows them with their messages. */
function needOfRefusals(
  t: Words<"home">,
  format: Pick<Formats, "list">,
  { code, why, senders, filter }: ExplainedCause,
): Need {
  const sumOf = (count: (sender: Refusals) => number) =>
    senders.reduce((sum, sender) => sum + count(sender), 0);
  const refused = sumOf((sender) => sender.refused);
  const runs = sumOf((sender) => sender.runs);
  const forThis = sumOf(({ refused_by_code: [first] }) => first?.count ?? 0);
  const codes = senders.flatMap((sender) => sender.refused_by_code.map((one) => one.code));
  const others = new Set(codes).size - 1;
  return {
    key: `refused-${code}`,
    tone: refused > runs ? "bad" : "warn",
    title: t("refused", { refused, all: runs + refused, senders: sendersText(t, format, senders), why }),
    detail: others > 0 ? t("refusedReasons", { count: forThis, others }) : t("refusedDetail"),
    action: {
      label: t("openRequests"),
      href: `/requests?${new URLSearchParams({ ...filter, since: "24h" })}`,
    },
  };
}

function sendersText(t: Words<"home">, format: Pick<Formats, "list">, senders: readonly Refusals[]): string {
  const named = senders.slice(0, maxNamed).map(({ group, name }) =>
    t("sender", {
      kind: group?.startsWith("usr_") ? "console" : name === null ? "others" : "key",
      name: name ?? "",
    }),
  );
  const count = senders.length - named.length;
  return count > 0 ? t("sendersAndMore", { names: format.list(named), count }) : format.list(named);
}

/** Whether there are more than were counted, as a choice of messages. */
function moreOf(more: boolean): "more" | "all" {
  return more ? "more" : "all";
}

function severalStopped(t: Words<"home">, count: number): Need {
  return {
    key: "stopped",
    tone: "bad",
    title: t("fixEndpoints", { count }),
    detail: t("stoppedSendingAll"),
    action: { label: t("openEndpoints"), href: "/webhooks/endpoints?status=auto-disabled" },
  };
}

function countOf({ data, total }: Pick<List<Endpoint>, "data" | "total">): number {
  return total?.count ?? data.length;
}

function namesOf(
  t: Words<"home">,
  format: Pick<Formats, "list">,
  endpoints: readonly Endpoint[],
  count: number,
): string {
  const named = endpoints.slice(0, maxNamed).map(({ url }) => shortAddress(url, 48).text);
  const [names, others] = [format.list(named), count - named.length];
  return others > 0 ? t("namesAndMore", { names, count: others }) : names;
}
