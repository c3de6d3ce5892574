import { byName } from "#contract/by-name.ts";
import type { Attempt, Delivery, DeliveryDetail } from "#contract/webhook.ts";
import type { Words } from "../../messages/words.ts";
import type { Tone } from "../status/status-look.ts";
import { endpointAddress } from "../webhooks/addresses.ts";
import { errorLabel } from "../webhooks/error-labels.ts";
import { type Fact, instant, moment, type Segment, type TimelineRow, type TimelineWords } from "./row.ts";

/** A shorter time before the first attempt is due to scheduling, so it is not shown as a wait. */
const schedulingMs = 250;

const toneOfStatus = byName<Tone>({
  pending: "busy",
  delivered: "good",
  failed: "warn",
  "dead-letter": "bad",
  canceled: "gone",
});

/**
 * One row per endpoint: the first delivery and its retries in order of time, with tone and facts of the
 * latest.
 */
export function endpointRow(
  words: TimelineWords,
  deliveries: readonly (Delivery | DeliveryDetail)[],
  nowMs: number,
): TimelineRow {
  const { t } = words;
  const sorted = [...deliveries].sort((a, b) => a.created_at.localeCompare(b.created_at));
  const rows = sorted.map((delivery) => deliveryRow(words, delivery, nowMs));
  const [first, latest] = [rows[0], rows.at(-1)];
  if (!first || !latest) throw new Error("an endpoint's row needs a delivery");
  if (rows.length === 1) return first;
  return {
    ...latest,
    id: first.id,
    label: first.label,
    segments: rows.flatMap(({ segments }) => segments).sort((a, b) => a.startMs - b.startMs),
    facts: [{ label: t("deliveries"), value: String(rows.length), form: "text" }, ...latest.facts],
    children: rows.flatMap(({ children }, index) => {
      const name = sentAs[sorted[index]?.trigger ?? ""];
      return children.map((child) => ({
        ...child,
        label: name ? t("attemptOfRetry", { retry: t(name), attempt: child.label }) : child.label,
      }));
    }),
  };
}

/** Labels for attempts of a retry. */
const sentAs = byName({ manual: "retry", bulk: "bulkRetry", test: "test" } as const);

/**
 * One row per delivery: its attempts as bars with the waits between them. The attempts are the row's
 * children.
 */
export function deliveryRow(
  words: TimelineWords,
  delivery: Delivery | DeliveryDetail,
  nowMs: number,
): TimelineRow {
  const { t, webhooks } = words;
  const attempts = attemptLog(delivery);
  const segments = attempts.length > 0 ? attemptSegments(webhooks, attempts, nowMs) : [];
  const createdMs = instant(delivery.created_at) ?? nowMs;
  if (segments.length === 0) segments.push(...segmentsWithoutLog(webhooks, delivery, createdMs));
  const first = segments[0];
  if (first && first.startMs - createdMs > schedulingMs) {
    segments.unshift(wait(createdMs, first.startMs, false));
  }
  const next = nextWait(delivery, segments, nowMs);
  if (next) segments.push(next);
  return {
    id: delivery.id,
    kind: "delivery",
    label:
      delivery.trigger === "test"
        ? t("testToEndpoint", { address: endpointAddress(delivery.url) })
        : endpointAddress(delivery.url),
    tone: toneOfStatus[delivery.status] ?? "waiting",
    segments,
    facts: factsOf([
      { label: t("delivery"), value: delivery.id, form: "id" },
      { label: t("status"), value: t("deliveryStatus", { status: delivery.status }), form: "text" },
      { label: t("endpoint"), value: delivery.endpoint_id, form: "id" },
      {
        label: t("attempts"),
        value: t("attemptsOf", { attempts: delivery.attempts, max: delivery.max_attempts }),
        form: "text",
      },
      { label: t("lastError"), value: delivery.last_error, form: "code" },
      { label: t("nextAttempt"), value: delivery.next_attempt_at, form: "time" },
      { label: t("delivered"), value: delivery.delivered_at, form: "time" },
      { label: t("retriedAs"), value: delivery.retried_as, form: "id" },
    ]),
    children: attempts.map((attempt, index) => attemptRow(words, attempt, attempts[index - 1], nowMs)),
  };
}

/** The attempts in order, if the gateway returned them. */
function attemptLog(delivery: Delivery | DeliveryDetail): Attempt[] {
  const log = "attempt_log" in delivery ? delivery.attempt_log : [];
  return log
    .filter((attempt) => instant(attempt.started_at) !== null)
    .sort((a, b) => Date.parse(a.started_at) - Date.parse(b.started_at));
}

function attemptSegments(t: Words<"webhooks">, attempts: Attempt[], nowMs: number): Segment[] {
  const segments: Segment[] = [];
  for (const attempt of attempts) {
    const segment = attemptSegment(t, attempt, nowMs);
    const last = segments.at(-1);
    if (last && segment.startMs > last.endMs) {
      segments.push(wait(last.endMs, segment.startMs, false));
    }
    segments.push(segment);
  }
  return segments;
}

function attemptSegment(t: Words<"webhooks">, attempt: Attempt, nowMs: number): Segment {
  const startMs = Date.parse(attempt.started_at);
  const open =
    attempt.duration_ms === null && attempt.error_code === null && attempt.response_status === null;
  const endMs = open ? Math.max(startMs, nowMs) : startMs + (attempt.duration_ms ?? 0);
  return {
    kind: "attempt",
    startMs,
    endMs,
    open,
    tone: attemptTone(attempt, open),
    note: attemptNote(t, attempt),
  };
}

function attemptTone(attempt: Attempt, open: boolean): Tone {
  if (open) return "busy";
  const status = attempt.response_status;
  return attempt.error_code === null && status !== null && status >= 200 && status < 300 ? "good" : "bad";
}

function attemptNote(t: Words<"webhooks">, attempt: Attempt): string | null {
  if (attempt.response_status !== null) return String(attempt.response_status);
  return attempt.error_code && errorLabel(t, attempt.error_code);
}

function attemptRow(
  { t, webhooks }: TimelineWords,
  attempt: Attempt,
  previous: Attempt | undefined,
  nowMs: number,
): TimelineRow {
  const segment = attemptSegment(webhooks, attempt, nowMs);
  const before = previous ? attemptSegment(webhooks, previous, nowMs) : null;
  const waits = before && segment.startMs > before.endMs ? [wait(before.endMs, segment.startMs, false)] : [];
  return {
    id: attempt.id,
    kind: "delivery",
    label: t("attemptNumber", { number: attempt.number }),
    tone: segment.tone,
    segments: [...waits, segment],
    facts: factsOf([
      { label: t("started"), value: attempt.started_at, form: "time" },
      { label: t("duration"), value: attempt.duration_ms, form: "duration" },
      { label: t("response"), value: attempt.response_status, form: "text" },
      { label: t("error"), value: attempt.error_code, form: "code" },
      { label: t("whatHappened"), value: attempt.error_detail, form: "text" },
      { label: t("address"), value: attempt.remote_ip, form: "code" },
    ]),
    children: [],
  };
}

/** Without attempts (some gateways only list deliveries), the row shows the list's data. */
function segmentsWithoutLog(t: Words<"webhooks">, delivery: Delivery, createdMs: number): Segment[] {
  const deliveredMs = instant(delivery.delivered_at);
  const { last_status_code: status, last_error: error } = delivery;
  const note = status === null ? error && errorLabel(t, error) : String(status);
  if (deliveredMs !== null) return [moment(deliveredMs, "good", note)];
  return [moment(createdMs, toneOfStatus[delivery.status] ?? "waiting", note)];
}

/** The current wait: until the next attempt or, if none is planned, until now. */
function nextWait(delivery: Delivery, segments: Segment[], nowMs: number): Segment | null {
  const last = segments.at(-1);
  if (!last || last.open) return null;
  const { status } = delivery;
  if (status !== "pending" && status !== "waiting" && status !== "failed") return null;
  const nextMs = instant(delivery.next_attempt_at);
  if (nextMs !== null) return wait(last.endMs, Math.max(nextMs, last.endMs), true);
  return status !== "failed" ? wait(last.endMs, Math.max(nowMs, last.endMs), true) : null;
}

function wait(startMs: number, endMs: number, open: boolean): Segment {
  return { kind: "wait", startMs, endMs, open, tone: "waiting", note: null };
}

type Candidate = Omit<Fact, "value"> & { value: string | number | null | undefined };

/** Drops repeated facts: an event's detail often repeats the prediction's own. */
export function distinctFacts(facts: Fact[]): Fact[] {
  return facts.filter((fact, index) => facts.findIndex((other) => other.value === fact.value) === index);
}

/** Keeps the facts that have a value. */
export function factsOf(candidates: Candidate[]): Fact[] {
  return candidates.filter(
    (fact): fact is Fact => fact.value !== null && fact.value !== undefined && fact.value !== "",
  );
}

/**
 * The additional detail of an event, nested values as JSON. A key that no message names is shown as words, so that
 * unknown data is shown too.
 */
export function detailFacts(
  t: Words<"predictions">,
  detail: Record<string, unknown> | null | undefined,
): Fact[] {
  return Object.entries(detail ?? {}).flatMap(([key, value]): Fact[] => {
    if (value === null || value === undefined) return [];
    const known = `detail.${key}`;
    const label = t.has(known) ? t.text(known) : key.replaceAll("_", " ");
    if (typeof value === "object") return [{ label, value: JSON.stringify(value), form: "code" }];
    if (key.endsWith("_ms") && typeof value === "number") {
      return [{ label: label.replace(/ ms$/, ""), value, form: "duration" }];
    }
    if (key.endsWith("_bytes") && typeof value === "number") {
      return [{ label: label.replace(/ bytes$/, ""), value, form: "bytes" }];
    }
    return [{ label, value: String(value), form: key.endsWith("_id") || key === "id" ? "id" : "text" }];
  });
}
