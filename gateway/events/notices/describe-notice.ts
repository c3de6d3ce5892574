import type { Cause } from "#contract/notice-constants.ts";
import type { CauseData } from "#gateway/platform/database/tables/notices.ts";
import type { Language } from "#messages/languages.ts";
import { bracketed, spacedFigures } from "#messages/marks.ts";
import type { Part, Words } from "#messages/words.ts";

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

export type NoticeTexts = Words<"causes">;

/** The words of a part for messages, in the language of their reader. Loaded late: most processes say little. */
export async function messageWords<Of extends Part>(part: Of, language: Language | null): Promise<Words<Of>> {
  const [{ compiledPart }, { wordsOf }] = await Promise.all([
    import("#messages/compile.ts"),
    import("#messages/words.ts"),
  ]);
  return wordsOf(compiledPart(language ?? "en", part), language ?? "en", "UTC");
}

/** A message by a key that is computed, with all facts as its values. */
export function say(t: NoticeTexts, key: string, values: object = {}): string {
  return (t as (name: string, values: object) => string)(key, values);
}

/** Why an attempt failed, within a sentence: `host not found`, `TLS failed`. */
export function reasonWords(t: NoticeTexts, code: string): string {
  return t.has(code) ? say(t, code) : code;
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
function endpointName(language: Language, said: (name: string) => string): string {
  const [description, address] = [said("description"), addressOf(said("url"))];
  return description ? bracketed(language, description, address) : address;
}

/** Line breaks, control and invisible characters: they break headers, or make one text look like another. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
const longestPart = 200;

/** Where the reader fixes the cause. */
const paths: Record<Cause, (id: string, said: (name: string) => string, count: number) => string> = {
  "endpoint.failing": (id) => `/webhooks/endpoints/${id}`,
  "endpoint.disabled": (id) => `/webhooks/endpoints/${id}`,
  "endpoint.recovered": (id) => `/webhooks/endpoints/${id}`,
  "delivery.exhausted": (id) => `/webhooks/deliveries?endpoint_id=${id}&status=dead-letter`,
  "callbacks.requeued": (id) => `/webhooks/deliveries?endpoint_id=${id}`,
  "copy.exhausted": (id) => `/destinations/${id}?status=failed`,
  "budget.threshold": (id) => (id.startsWith("key_") ? "/keys" : "/usage"),
  "task.refused": (_id, said) => `/usage/tasks?${new URLSearchParams({ value: said("value") })}`,
  "guard.failing": () => "/settings/guard",
  "guard.recovered": () => "/settings/guard",
  "outputs.expiring": () => "/predictions?status=succeeded",
  "share.reported": () => "/predictions/shared/reports",
  "attestation.withdrawn": () => "/attestations",
  "key.expiring": () => "/keys",
  "batch.finished": (id, _said, count) => (count > 1 ? "/batches" : `/batches/${id}`),
  "member.joined": () => "/settings/team",
  "sign_in.new_place": () => "/settings/profile",
  "provider.key_refused": () => "/operator/providers",
  "provider.bill_unpaid": () => "/operator/providers",
  "provider.unhealthy": () => "/operator/health",
  "usage.not_priced": () => "/operator/prices",
  "file.reported": (_id, said) => `/operator/reports/${said("report_id")}`,
  "certificate.expiring": () => "/operator/health",
  "signing_certificate.expiring": () => "/operator/signing",
  "retention.lagging": () => "/operator/health",
  "audit_stream.behind": () => "/operator/health",
  "database.connections": () => "/operator/health",
  "database.disk": () => "/operator/health",
  "installation_guard.failing": () => "/operator/installation-guard",
  "installation_guard.recovered": () => "/operator/installation-guard",
  "load.high": (id) => (id.startsWith("acct_") ? `/operator/accounts/${id}` : "/operator/health"),
  "store.full": () => "/operator/health",
};

/** Facts that messages use as text, and those that they count. */
const texts = (
  "account amount connection currency device error free holder host ip kind limit max_runs message model name on_error " +
  "percent provider reason region role share size spent status subject used value"
).split(" ");
const numbers = "dropped failed failures minutes predictions requests runs succeeded".split(" ");
const times = ["at", "expires_at", "from", "since"];

/** The values of all messages about a cause. */
function valuesOf(t: NoticeTexts, { subjectId, data, count }: WordedCause): Record<string, string | number> {
  const facts = new Map(Object.entries(data));
  const said = (name: string) => plain(facts.get(name));
  const number = (name: string) => Number(facts.get(name)) || 0;
  const has = (name: string) => [`has_${name}`, said(name) === "" ? "no" : "yes"] as const;
  return {
    ...Object.fromEntries(texts.map((name) => [name, said(name)])),
    ...Object.fromEntries(numbers.map((name) => [name, number(name)])),
    ...Object.fromEntries(times.map((name) => [name, timeText(facts.get(name), t.language)])),
    ...Object.fromEntries(["amount", "device", "error", "holder", "ip", "name"].map(has)),
    has_max_runs: number("max_runs") > 0 ? "yes" : "no",
    has_dropped: number("dropped") > 0 ? "yes" : "no",
    address: addressOf(said("url")),
    endpoint: endpointName(t.language, said),
    report: reasonWords(t, said("reason")),
    why: reasonWords(t, said("error")),
    minutes: Math.round(number("minutes")),
    day: said("since"),
    id: plain(subjectId),
    // Whose requests cost processor time; the load adds up small accounts.
    who: subjectId === "*" ? "small" : subjectId ? "account" : "keyless",
    count,
  };
}

/** A time as in messages: `24 Nov 2026, 07:00 UTC`. */
export function timeText(value: unknown, language: Language): string {
  const at = new Date(String(value));
  if (Number.isNaN(at.getTime())) return plain(value);
  const day = at.toLocaleDateString(language === "en" ? "en-GB" : language, {
    day: "numeric",
    month: language === "en" ? "short" : "long",
    year: "numeric",
    timeZone: "UTC",
  });
  return `${spacedFigures(day)}${language === "en" ? "," : ""} ${at.toISOString().slice(11, 16)} UTC`;
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

/** For the console. */
export function describeNotice(item: WordedCause, t: NoticeTexts): NoticeWords {
  const { cause, subjectId, data, count } = item;
  const values = valuesOf(t, item);
  const facts = new Map(Object.entries(data));
  return {
    title: say(t, cause, values),
    text: say(t, `${cause}Advice`, values).replace(/ {2,}/g, " ").trim(),
    path: paths[cause](subjectId ?? "", (name) => plain(facts.get(name)), count),
  };
}

/** For a message to people or programs elsewhere. */
export function describeInMessage(item: WordedCause, t: NoticeTexts): NoticeWords {
  return describeNotice(forMessages(item), t);
}

/** From this number on, notices of one cause become a single line, in a message to people and in the console. */
export const manyFrom = 5;
/** A single line about many endpoints names at most this many of them. */
const named = 3;

/** The message and the page of a line about many notices of a cause. */
const many: Partial<Record<Cause, readonly [key: string, path: string]>> = {
  "endpoint.failing": ["manyEndpointsFail", "/webhooks/endpoints?status=failing&sort=failures"],
  "endpoint.disabled": ["manyEndpointsDisabled", "/webhooks/endpoints?status=auto-disabled"],
  "endpoint.recovered": ["manyEndpointsWork", "/webhooks/endpoints"],
  "delivery.exhausted": ["manyUndelivered", "/webhooks/deliveries?status=dead-letter"],
};

/** The lines of a message to people; a mass failure becomes one line. `more`: notices without a line. */
export function linesOf(
  { items, more, causes }: { items: readonly WordedCause[]; more: number; causes: readonly string[] },
  t: NoticeTexts,
): { lines: NoticeWords[]; more: number } {
  // `more` notices have no data here. If the message is about a single cause, they must have that cause too.
  const rest = causes.length === 1 ? more : 0;
  const byCause = Map.groupBy(items, ({ cause }) => cause);
  const collapsed = new Set<Cause>();
  const lines = items.flatMap((item) => {
    const { cause } = item;
    const same = byCause.get(cause) ?? [];
    const line = many[cause];
    if (!line || same.length + rest < manyFrom) return [describeInMessage(item, t)];
    if (collapsed.has(cause)) return [];
    collapsed.add(cause);
    const [key, path] = line;
    const title = say(t, key, { count: same.length + rest });
    const names = same
      .slice(0, named)
      .map((each) => nameOf(t.language, each))
      .join(t.language === "en" ? ", " : "、");
    return [{ title: t("among", { title, names }), text: say(t, `${key}Advice`), path }];
  });
  return { lines, more: collapsed.size > 0 ? more - rest : more };
}

function nameOf(language: Language, item: WordedCause): string {
  const facts = new Map(Object.entries(forMessages(item).data));
  return endpointName(language, (name) => plain(facts.get(name)));
}
