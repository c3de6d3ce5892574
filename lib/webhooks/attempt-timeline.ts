import type { Attempt, Delivery } from "#contract/webhook.ts";

/** One line of a delivery's history, oldest first. */
export type TimelineStep =
  | { kind: "wait"; key: string; ms: number }
  | { kind: "attempt"; key: string; attempt: Attempt; succeeded: boolean }
  | { kind: "next"; key: string; number: number; at: string }
  | { kind: "ended"; key: string; status: "delivered" | "dead-letter" | "canceled" | "superseded" };

type Send = Pick<
  Delivery,
  "status" | "attempts" | "created_at" | "next_attempt_at" | "retried_as" | "max_attempts"
>;

/** A shorter time before the first attempt is due to scheduling, so it is not shown as a wait. */
const schedulingMs = 1000;

/** The attempts of one delivery with the waits between them, and the next attempt. */
export function attemptTimeline(send: Send, attempts: readonly Attempt[]): TimelineStep[] {
  const steps: TimelineStep[] = [];
  let lastEndMs = Date.parse(send.created_at);
  for (const attempt of [...attempts].sort((a, b) => a.started_at.localeCompare(b.started_at))) {
    const startMs = Date.parse(attempt.started_at);
    const waitedMs = startMs - lastEndMs;
    if (waitedMs > (steps.length === 0 ? schedulingMs : 0))
      steps.push({ kind: "wait", key: `wait-${attempt.id}`, ms: waitedMs });
    steps.push({ kind: "attempt", key: attempt.id, attempt, succeeded: isSuccess(attempt) });
    lastEndMs = startMs + (attempt.duration_ms ?? 0);
  }
  const last = nextStep(send);
  if (last) steps.push(last);
  return steps;
}

export function isSuccess(attempt: Attempt): boolean {
  const status = attempt.response_status ?? 0;
  return attempt.error_code === null && status >= 200 && status < 300;
}

function nextStep(send: Send): TimelineStep | null {
  const { status } = send;
  if (send.retried_as !== null && status === "failed") {
    return { kind: "ended", key: "ended", status: "superseded" };
  }
  if (status === "pending" || status === "failed") {
    const number = send.attempts + 1;
    return send.next_attempt_at === null
      ? null
      : { kind: "next", key: "next", number, at: send.next_attempt_at };
  }
  if (status === "delivered" || status === "dead-letter" || status === "canceled") {
    return { kind: "ended", key: "ended", status };
  }
  return null;
}

export interface TimingBar {
  name: "DNS" | "Connect" | "TLS" | "Wait" | "Body";
  ms: number;
  /** Start and width of the bar, in percent of the whole width. */
  leftPercent: number;
  widthPercent: number;
}

/**
 * The phases of one attempt on one axis. `ttfb` counts milliseconds from the start of the attempt; `dns`,
 * `connect` and `tls` are durations. Unknown phases are left out.
 */
export function timingBars(timings: Attempt["timings"]): TimingBar[] {
  const total = timings.total ?? 0;
  if (total <= 0) return [];
  const bars: TimingBar[] = [];
  let cursor = 0;
  const add = (name: TimingBar["name"], ms: number | null | undefined) => {
    if (ms === null || ms === undefined || ms < 0) return;
    const length = Math.min(ms, total - cursor);
    bars.push({ name, ms, leftPercent: (cursor / total) * 100, widthPercent: (length / total) * 100 });
    cursor += length;
  };
  add("DNS", timings.dns);
  add("Connect", timings.connect);
  add("TLS", timings.tls);
  if (timings.ttfb !== null && timings.ttfb !== undefined) {
    add("Wait", Math.max(0, timings.ttfb - cursor));
    add("Body", Math.max(0, total - cursor));
  }
  return bars;
}

/** Headers that curl sets itself, or that would break the copied command. */
const omittedHeaders = new Set([
  "host",
  "content-length",
  "connection",
  "transfer-encoding",
  "accept-encoding",
]);

/** The attempt's request as a curl command. It contains the signature that was sent, never the secret. */
export function attemptAsCurl(attempt: Pick<Attempt, "url" | "request_headers" | "request_body">): string {
  const headers = Object.entries(attempt.request_headers ?? {})
    .filter(([name]) => !omittedHeaders.has(name.toLowerCase()))
    .map(([name, value]) => `--header ${quote(`${name}: ${value}`)}`);
  const parts = [`curl --request POST ${quote(attempt.url)}`, ...headers];
  if (attempt.request_body !== null) parts.push(`--data-binary ${quote(attempt.request_body)}`);
  return parts.join(" \\\n  ");
}

/** A POSIX shell word in single quotes. Only single quotes themselves need escaping. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
