import type { Cause } from "#contract/notice-constants.ts";
import { reportReasonLabels, reportReasons } from "#contract/share-constants.ts";
import { deliveryErrorLabels, isDeliveryError } from "#contract/webhook-constants.ts";
import type { CauseData } from "#gateway/platform/database/tables/notices.ts";

/** The text of a cause, for the console, e-mails and chats. */
export interface NoticeWords {
  /** What happened, on one line. */
  title: string;
  /** Explanation, and what to do. */
  text: string;
  /** The console page where the reader can fix it. */
  path: string;
}

/** The facts that a notice is written from. */
export interface WordedCause {
  cause: Cause;
  subjectId: string | null;
  data: CauseData;
  count: number;
}

type Writer = (about: {
  said: (name: string) => string;
  number: (name: string) => number;
  id: string;
  count: number;
}) => NoticeWords;

const endpointPath = (id: string) => `/webhooks/endpoints/${id}`;
const more = (count: number) => (count > 1 ? ` (${count} times)` : "");

const disabledBecause = new Map([
  ["failing", "Every attempt failed for too long."],
  ["gone", "Its receiver answered that it is gone for good."],
  ["stopped", "Its receiver requested no more deliveries."],
  ["manual", "Somebody disabled it."],
]);

/** Why an attempt failed, within a sentence: `host not found`, `TLS failed`. */
export function reasonWords(code: string): string {
  const label = isDeliveryError(code) ? deliveryErrorLabels[code] : code;
  return /^[A-Z][a-z]/.test(label) ? `${label[0]?.toLowerCase()}${label.slice(1)}` : label;
}

/** The host and, unless it was left out before, the path; never the query, which may contain a secret. */
function addressOf(url: string): string {
  const { host = "", pathname = "/" } = URL.parse(url) ?? {};
  return pathname === "/" ? host : host + pathname;
}

/** The facts for a message that leaves the installation: only the host of a URL, because its path may be a secret. */
function forMessages<Item extends WordedCause>(item: Item): Item {
  const url = URL.parse(plain(new Map(Object.entries(item.data)).get("url")));
  return url ? { ...item, data: { ...item.data, url: url.origin } } : item;
}

/** An endpoint's name for its owner: description and address. */
function endpointName(said: (name: string) => string): string {
  const [description, address] = [said("description"), addressOf(said("url"))];
  return description ? `${description} (${address})` : address;
}

/** Why a file was reported. */
function reasonOf(reason: string): string {
  const known = reportReasons.find((each) => each === reason);
  return known ? reportReasonLabels[known] : reason;
}

/** What is wrong with a guard, and what happens meanwhile. */
function guardFails(said: (name: string) => string): string {
  const meanwhile = said("on_error") === "allow" ? "Runs continue unchecked" : "Runs are refused";
  return `${said("reason")} ${meanwhile} until it answers again.`.trim();
}

/** Line breaks, control and invisible characters: they break headers, or make one text look like another. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
const longestPart = 200;

const writers: Record<Cause, Writer> = {
  "endpoint.failing": ({ said, number, id, count }) => ({
    title: `Webhook endpoint ${endpointName(said)} is failing${more(count)}`,
    text: `${counted(number("failures"), "attempt")} in a row failed. Deliveries are retried; after days without success the endpoint is disabled.`,
    path: endpointPath(id),
  }),
  "endpoint.disabled": ({ said, id }) => ({
    title: `Webhook endpoint ${endpointName(said)} was disabled`,
    text: `${disabledBecause.get(said("reason")) ?? ""} Events wait. Fix the receiver, then enable the endpoint and resend missed events.`.trim(),
    path: endpointPath(id),
  }),
  "endpoint.recovered": ({ said, id }) => ({
    title: `Webhook endpoint ${endpointName(said)} works again`,
    text: "A delivery succeeded after failures. Resend missed events from the endpoint's page.",
    path: endpointPath(id),
  }),
  "delivery.exhausted": ({ said, id, count }) => ({
    title: `${counted(count, "event")} could not be delivered to ${endpointName(said)}`,
    text: `All attempts failed${said("error") && `, the last: ${reasonWords(said("error"))}`}. Nothing more is sent until somebody retries.`,
    path: `/webhooks/deliveries?endpoint_id=${id}&status=dead-letter`,
  }),
  "callbacks.requeued": ({ said, id }) => ({
    title: `Callbacks to ${addressOf(said("url"))} are sent again`,
    text: "An earlier release canceled them while they waited. Each is sent once more, as a new delivery.",
    path: `/webhooks/deliveries?endpoint_id=${id}`,
  }),
  "copy.exhausted": ({ said, id, count }) => ({
    title: `${counted(count, "file")} could not be copied to ${said("name")}`,
    text: `${said("message")} Nothing more is tried until somebody retries, before the file is removed.`,
    path: `/destinations/${id}?status=failed`,
  }),
  "budget.threshold": ({ said, number, id }) => ({
    title: `${number("percent")} % of the budget of ${said("name") || said("holder") || "the account"} is used`,
    text: `${said("spent")} of ${said("amount")} ${said("currency")}. A hard budget rejects further requests once it is used up.`,
    path: id.startsWith("key_") ? "/keys" : "/usage",
  }),
  "task.refused": ({ said, number, count }) => ({
    title: `${said("connection")} was refused: the task “${said("value")}” reached its cap${more(count)}`,
    text: `${said("amount") && `It spent ${said("spent")} of ${said("amount")} ${said("currency")}. `}${number("max_runs") > 0 ? `It ran ${number("runs")} of ${number("max_runs")} times. ` : ""}Raise it if it may continue.`,
    path: `/usage/tasks?${new URLSearchParams({ value: said("value") })}`,
  }),
  "guard.failing": ({ said }) => ({
    title: `The guard of this account fails (${said("host")})`,
    text: guardFails(said),
    path: "/settings/guard",
  }),
  "guard.recovered": ({ said }) => ({
    title: `The guard of this account works again (${said("host")})`,
    text: "Its last answer was valid.",
    path: "/settings/guard",
  }),
  "outputs.expiring": ({ said, number }) => ({
    title: `Outputs of ${counted(number("predictions"), "prediction")} will be removed soon`,
    text: `The first on ${timeText(said("from"))}. Download what you want to keep.`,
    path: "/predictions?status=succeeded",
  }),
  "share.reported": ({ said, count }) => ({
    title: `A shared file of ${said("model")} was reported${more(count)}`,
    text: `The reason: “${reasonOf(said("reason"))}”. Nothing was removed: look at it, then remove the file or dismiss the report.`,
    path: "/predictions/shared/reports",
  }),
  "attestation.withdrawn": ({ said }) => ({
    title: `${said("name")} withdrew an attestation`,
    text: `${said("kind") === "adult" ? "Adult content" : "Portrait rights"}: their requests that need it are rejected, and those of the service keys they answer for.`,
    path: "/attestations",
  }),
  "key.expiring": ({ said }) => ({
    title: `Key ${said("name")} expires soon`,
    text: `It stops working on ${timeText(said("expires_at"))}. Make another one and replace it before.`,
    path: "/keys",
  }),
  "batch.finished": ({ said, number, id, count }) =>
    count > 1
      ? {
          title: `${count} batches have ended`,
          text: `The last: ${said("name")}, ${counted(number("succeeded"), "row")} succeeded, ${number("failed")} failed.`,
          path: "/batches",
        }
      : {
          title: `Batch ${said("name")} has ${said("status") === "stopped" ? "stopped" : "finished"}`,
          text: `${counted(number("succeeded"), "row")} succeeded, ${number("failed")} failed.`,
          path: `/batches/${id}`,
        },
  "member.joined": ({ said, count }) => ({
    title: count > 1 ? `${count} people joined the account` : `${said("name")} joined the account`,
    text: `${count > 1 ? `The last: ${said("name")}` : "They joined"} as ${said("role")}.`,
    path: "/settings/team",
  }),
  "sign_in.new_place": ({ said }) => ({
    title: "Somebody signed in as you from a new place",
    text: `From ${said("ip") || "an unknown address"}${said("device") && ` with ${said("device")}`}, on ${timeText(said("at"))}. If it was not you, end the session and change your password.`,
    path: "/settings/profile",
  }),
  "provider.key_refused": ({ said }) => ({
    title: `${said("provider")} refuses its key`,
    text: `In ${said("region")}. The provider's message: ${said("message")}`,
    path: "/operator/providers",
  }),
  "provider.bill_unpaid": ({ said }) => ({
    title: `${said("provider")} reports a problem with its bill`,
    text: `In ${said("region")}. The provider's message: ${said("message")}`,
    path: "/operator/providers",
  }),
  "provider.unhealthy": ({ said }) => ({
    title: `${said("model")} at ${said("provider")} is failing`,
    text: `In ${said("region")}: its breaker is open, so other providers are tried first. Its last message: ${said("message")}`,
    path: "/operator/health",
  }),
  "usage.not_priced": ({ said, number, id }) => ({
    title: `${plain(id)} runs without a price`,
    text: `${counted(number("runs"), "run")} since ${said("since")} (UTC) are in no bill and no budget. Set a price; it applies to later runs.`,
    path: "/operator/prices",
  }),
  "file.reported": ({ said, count }) => ({
    title: `A shared file of the account ${said("account")} was reported${more(count)}`,
    text: `The reason: “${reasonOf(said("reason"))}”. Nothing was removed: look at it, then remove the file or dismiss the report.`,
    path: `/operator/reports/${said("report_id")}`,
  }),
  "certificate.expiring": ({ said }) => ({
    title: `The certificate of ${said("host")} expires soon`,
    text: `On ${timeText(said("expires_at"))}. Have it renewed before.`,
    path: "/operator/health",
  }),
  "signing_certificate.expiring": ({ said }) => ({
    title: "The certificate that signs outputs expires soon",
    text: `On ${timeText(said("expires_at"))}: ${said("subject")}. From then on outputs are stored unsigned. Have it renewed before.`,
    path: "/operator/signing",
  }),
  "retention.lagging": ({ said, number }) => ({
    title: `Expired data is removed too late (${said("kind")})`,
    text: `The oldest has been due for ${counted(Math.round(number("minutes")), "minute")}. See the log of the workers.`,
    path: "/operator/health",
  }),
  "audit_stream.behind": ({ said, number }) => ({
    title:
      number("dropped") > 0
        ? `${counted(number("dropped"), "event")} of the audit log could not leave in time, and were dropped`
        : `The audit log has not left for ${counted(number("minutes"), "minute")}`,
    text: `${said("error") && `The last attempt: ${said("error")}. `}Check the receiver, and AUDIT_STREAM_TO in the settings.`,
    path: "/operator/health",
  }),
  "database.connections": ({ number }) => ({
    title: "The database has few connections left",
    text: `${number("used")} of ${number("limit")} are in use. Raise max_connections, or run fewer processes.`,
    path: "/operator/health",
  }),
  "database.disk": ({ said }) => ({
    title: "The disk of the database is almost full",
    text: `${said("free")} of ${said("size")} are free. A full disk stops the gateway.`,
    path: "/operator/health",
  }),
  "installation_guard.failing": ({ said }) => ({
    title: `The guard of this installation fails (${said("host")})`,
    text: guardFails(said),
    path: "/operator/installation-guard",
  }),
  "installation_guard.recovered": ({ said }) => ({
    title: `The guard of this installation works again (${said("host")})`,
    text: "Its last answer was valid.",
    path: "/operator/installation-guard",
  }),
  "load.high": ({ said, number, id }) => ({
    title: `${said("account")} uses most of the processor time`,
    text: `Processes had almost none left in the last ${counted(number("minutes"), "minute")}. An estimated ${number("share")} % went to ${counted(number("requests"), "request")} of ${said("account")}. Limit the account, or run more processes.`,
    path: id.startsWith("acct_") ? `/operator/accounts/${id}` : "/operator/health",
  }),
  "store.full": ({ said }) => ({
    title: "Files cannot be stored: the object store or its disk is full",
    text: `Since ${timeText(said("since"))}. Make room; waiting runs then continue automatically.`,
    path: "/operator/health",
  }),
};

/** A time as in messages: `24 Nov 2026, 07:00 UTC`. */
export function timeText(value: unknown): string {
  const at = new Date(String(value));
  if (Number.isNaN(at.getTime())) return plain(value);
  const day = at.toLocaleDateString("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone: "UTC",
  });
  return `${day}, ${at.toISOString().slice(11, 16)} UTC`;
}

/** Text from other people, cleaned for use in a line of a message. */
export function plain(value: unknown): string {
  if (value === null || value === undefined) return "";
  // The text is cut before the pattern is applied; names are also limited when they are written.
  const text = String(value)
    .slice(0, longestPart * 2)
    .replace(hidden, " ")
    .replace(/ {2,}/g, " ")
    .trim();
  return text.length > longestPart ? `${text.slice(0, longestPart - 1)}…` : text;
}

/** `1 file`, `2 files`, `10,000+ files`. */
export function counted(count: number, one: string, more = false): string {
  return `${count.toLocaleString("en-US")}${more ? "+" : ""} ${count === 1 && !more ? one : `${one}s`}`;
}

/** For the console. */
export function describeNotice({ cause, subjectId, data, count }: WordedCause): NoticeWords {
  const facts = new Map(Object.entries(data));
  const words = writers[cause]({
    said: (name) => plain(facts.get(name)),
    number: (name) => Number(facts.get(name)) || 0,
    id: subjectId ?? "",
    count,
  });
  return { ...words, text: words.text.replace(/ {2,}/g, " ") };
}

/** For a message to people or programs elsewhere. */
export function describeInMessage(item: WordedCause): NoticeWords {
  return describeNotice(forMessages(item));
}

/** From this number on, notices of one cause become a single line, in a message to people and in the console. */
export const manyFrom = 5;
/** A single line about many endpoints names at most this many of them. */
const named = 3;

const manyWriters: Partial<Record<Cause, (many: string) => NoticeWords>> = {
  "endpoint.failing": (many) => ({
    title: `${many} webhook endpoints are failing`,
    text: "Deliveries are retried; after days without success an endpoint is disabled.",
    path: "/webhooks/endpoints?status=failing&sort=failures",
  }),
  "endpoint.disabled": (many) => ({
    title: `${many} webhook endpoints were disabled`,
    text: "Events wait. Fix the receivers, then enable the endpoints and send what they missed.",
    path: "/webhooks/endpoints?status=auto-disabled",
  }),
  "endpoint.recovered": (many) => ({
    title: `${many} webhook endpoints work again`,
    text: "Deliveries succeeded after failures. Send again what the endpoints missed from their pages.",
    path: "/webhooks/endpoints",
  }),
  "delivery.exhausted": (many) => ({
    title: `Events could not be delivered to ${many} webhook endpoints`,
    text: "All attempts failed. Nothing more is sent until somebody retries.",
    path: "/webhooks/deliveries?status=dead-letter",
  }),
};

/** The lines of a message to people; a mass failure becomes one line. `more`: notices without a line. */
export function linesOf({
  items,
  more,
  causes,
}: {
  items: readonly WordedCause[];
  more: number;
  causes: readonly string[];
}): { lines: NoticeWords[]; more: number } {
  // `more` notices have no data here. If the message is about a single cause, they must have that cause too.
  const rest = causes.length === 1 ? more : 0;
  const byCause = Map.groupBy(items, ({ cause }) => cause);
  const collapsed = new Set<Cause>();
  const lines = items.flatMap((item) => {
    const { cause } = item;
    const write = manyWriters[cause];
    const same = byCause.get(cause) ?? [];
    if (!write || same.length + rest < manyFrom) return [describeInMessage(item)];
    if (collapsed.has(cause)) return [];
    collapsed.add(cause);
    const { title, ...words } = write((same.length + rest).toLocaleString("en-US"));
    return [{ ...words, title: `${title}, among them ${same.slice(0, named).map(nameOf).join(", ")}` }];
  });
  return { lines, more: collapsed.size > 0 ? more - rest : more };
}

function nameOf(item: WordedCause): string {
  const facts = new Map(Object.entries(forMessages(item).data));
  return endpointName((name) => plain(facts.get(name)));
}
