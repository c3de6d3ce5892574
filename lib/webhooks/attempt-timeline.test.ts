import { describe, expect, it } from "vitest";
import type { Attempt } from "#contract/webhook.ts";
import { attemptAsCurl, attemptTimeline, timingBars } from "./attempt-timeline.ts";

const attempt = (number: number, startedAt: string, durationMs: number, status: number | null): Attempt => ({
  id: `att_${number}`,
  number,
  started_at: startedAt,
  duration_ms: durationMs,
  url: "https://example.com/hooks",
  remote_ip: null,
  request_headers: {
    "content-type": "application/json",
    host: "example.com",
    "x-svc-signature": "t=1,v1=ab",
  },
  request_body: `{"note":"it's"}`,
  response_status: status,
  response_headers: null,
  response_body: null,
  response_body_truncated: false,
  error_code: status === 200 ? null : "http_5xx",
  error_detail: null,
  timings: { total: durationMs },
});

const send = {
  status: "failed",
  attempts: 2,
  max_attempts: 8,
  created_at: "2026-11-20T10:00:00.000Z",
  next_attempt_at: "2026-11-20T10:00:50.200Z",
  retried_as: null,
};

describe("attemptTimeline", () => {
  const attempts = [
    attempt(2, "2026-11-20T10:00:10.200Z", 100, 500),
    attempt(1, "2026-11-20T10:00:00.020Z", 180, 500),
  ];

  it("puts attempts in order, with the waits between them and before the next one", () => {
    const steps = attemptTimeline(send, attempts);
    expect(steps.map((step) => step.kind)).toEqual(["attempt", "wait", "attempt", "next"]);
    expect(steps[1]).toMatchObject({ ms: 10_000 });
    expect(steps[3]).toMatchObject({ number: 3, at: send.next_attempt_at });
  });

  it("shows every wait between attempts, but not the scheduling before the first", () => {
    const quick = [
      attempt(1, "2026-11-20T10:00:00.900Z", 100, 500),
      attempt(2, "2026-11-20T10:00:01.300Z", 100, 500),
    ];
    const steps = attemptTimeline(send, quick);
    expect(steps.map((step) => step.kind)).toEqual(["attempt", "wait", "attempt", "next"]);
    expect(steps[1]).toMatchObject({ ms: 300 });
  });

  it.each([
    ["delivered", null, "delivered"],
    ["dead-letter", null, "dead-letter"],
    ["failed", "dlv_2", "superseded"],
  ])("ends a %s send", (status, retriedAs, ended) => {
    const steps = attemptTimeline({ ...send, status, retried_as: retriedAs }, attempts);
    expect(steps.at(-1)).toMatchObject({ kind: "ended", status: ended });
  });

  it("shows no end when it is unknown", () => {
    expect(attemptTimeline({ ...send, status: "resting" }, [])).toEqual([]);
  });
});

describe("timingBars", () => {
  it("arranges the phases of an attempt end to end", () => {
    const bars = timingBars({ dns: 10, connect: 20, tls: 30, ttfb: 160, total: 200 });
    expect(
      bars.map(({ name, ms, leftPercent, widthPercent }) => [name, ms, leftPercent, widthPercent]),
    ).toEqual([
      ["DNS", 10, 0, 5],
      ["Connect", 20, 5, 10],
      ["TLS", 30, 15, 15],
      ["Wait", 100, 30, 50],
      ["Body", 40, 80, 20],
    ]);
  });

  it("leaves out phases that the attempt did not reach", () => {
    const bars = timingBars({ dns: 10, connect: null, tls: null, ttfb: null, total: 10_000 });
    expect(bars.map((bar) => bar.name)).toEqual(["DNS"]);
  });
});

describe("attemptAsCurl", () => {
  it("quotes for the shell and leaves out headers that curl sets", () => {
    const text = attemptAsCurl(attempt(1, "2026-11-20T10:00:00.020Z", 1, 500));
    expect(text).toContain(`--data-binary '{"note":"it'\\''s"}'`);
    expect(text).toContain("--header 'x-svc-signature: t=1,v1=ab'");
    expect(text).not.toContain("host:");
  });
});
