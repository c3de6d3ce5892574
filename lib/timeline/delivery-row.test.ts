import { describe, expect, it } from "vitest";
import { compiledPart } from "../../messages/compile.ts";
import { wordsOf } from "../../messages/words.ts";
import { english } from "../../scripts/testing/english.ts";
import { isDeliveryLive } from "../status/delivery.ts";
import { deliveryRow, detailFacts, endpointRow } from "./delivery-row.ts";
import { at, sampleAttempt, sampleDelivery, startMs } from "./testing/samples.ts";

const words = { t: english("predictions"), webhooks: english("webhooks") };

const msAt = (seconds: number) => startMs + seconds * 1000;
const shape = (delivery: Parameters<typeof deliveryRow>[1], nowMs: number) =>
  deliveryRow(words, delivery, nowMs).segments.map((s) => [s.kind, Math.round(s.endMs - s.startMs), s.note]);

describe("the timeline row of a delivery", () => {
  it("shows attempts as bars and the waits between them", () => {
    const delivery = sampleDelivery({
      status: "delivered",
      attempts: 2,
      delivered_at: at(22.2),
      attempt_log: [
        sampleAttempt(1, 12.1),
        sampleAttempt(2, 22.1, { response_status: 200, error_code: null, duration_ms: 100 }),
      ],
    });
    expect(shape(delivery, msAt(60))).toEqual([
      ["attempt", 80, "503"],
      ["wait", 9920, null],
      ["attempt", 100, "200"],
    ]);
    expect(deliveryRow(words, delivery, msAt(60)).tone).toBe("good");
  });

  it("shows a wait between two attempts, however short", () => {
    const log = [sampleAttempt(1, 12.1), sampleAttempt(2, 12.3)];
    expect(shape(sampleDelivery({ attempts: 2, attempt_log: log }), msAt(60)).slice(0, 3)).toEqual([
      ["attempt", 80, "503"],
      ["wait", 120, null],
      ["attempt", 80, "503"],
    ]);
  });

  it("ends with an open wait until the next attempt", () => {
    const delivery = sampleDelivery({
      status: "failed",
      attempts: 1,
      next_attempt_at: at(22),
      attempt_log: [sampleAttempt(1, 12.1)],
    });
    const last = deliveryRow(words, delivery, msAt(15)).segments.at(-1);
    expect(last).toMatchObject({ kind: "wait", open: true, endMs: msAt(22) });
  });

  it("has no open wait once the delivery is dead-letter, or was retried as another delivery", () => {
    const log = { attempt_log: [sampleAttempt(8, 12.1)], attempts: 8 };
    for (const over of [{ status: "dead-letter" }, { status: "failed", retried_as: "dlv_2" }]) {
      expect(
        deliveryRow(words, sampleDelivery({ ...over, ...log }), msAt(99)).segments.some((s) => s.open),
      ).toBe(false);
    }
  });

  it("grows with the clock while an attempt is in flight", () => {
    const running = sampleAttempt(1, 12, { duration_ms: null, response_status: null, error_code: null });
    const delivery = sampleDelivery({ attempts: 1, attempt_log: [running] });
    expect(shape(delivery, msAt(15))).toEqual([["attempt", 3000, null]]);
    expect(shape(delivery, msAt(16))).toEqual([["attempt", 4000, null]]);
  });

  it("names the error when there was no answer", () => {
    const refused = sampleAttempt(1, 12, { response_status: null, error_code: "connect_refused" });
    const row = deliveryRow(words, sampleDelivery({ attempt_log: [refused] }), msAt(15));
    expect(row.segments[0]).toMatchObject({ tone: "bad", note: "Connection refused" });
  });

  it("sorts a log that is in any order", () => {
    const log = [sampleAttempt(2, 30), sampleAttempt(1, 12)];
    const row = deliveryRow(words, sampleDelivery({ attempt_log: log }), msAt(60));
    expect(row.children.map((child) => child.label)).toEqual(["Attempt 1", "Attempt 2"]);
    expect(row.children[1]?.segments.map((s) => s.kind)).toEqual(["wait", "attempt"]);
  });

  it("shows the wait before a late first attempt", () => {
    const row = deliveryRow(words, sampleDelivery({ attempt_log: [sampleAttempt(1, 20)] }), msAt(21));
    expect(row.segments[0]).toMatchObject({ kind: "wait", startMs: msAt(12), endMs: msAt(20) });
  });

  it("uses the list's data when there is no attempt log", () => {
    const { attempt_log: _log, ...listed } = sampleDelivery({
      status: "delivered",
      delivered_at: at(13),
      last_status_code: 204,
    });
    expect(shape(listed, msAt(60))).toEqual([
      ["wait", 1000, null],
      ["moment", 0, "204"],
    ]);
  });

  it("shows an unknown status as neutral and accepts an invalid URL", () => {
    const row = deliveryRow(words, sampleDelivery({ status: "parked", url: "somewhere" }), msAt(15));
    expect([row.tone, row.label]).toEqual(["waiting", "somewhere"]);
  });
});

describe("the timeline row of an endpoint", () => {
  const dead = sampleDelivery({ status: "dead-letter", attempts: 1, attempt_log: [sampleAttempt(1, 12.1)] });
  const retry = sampleDelivery({
    id: "dlv_2",
    status: "delivered",
    trigger: "manual",
    created_at: at(90),
    delivered_at: at(90.2),
    attempts: 1,
    attempt_log: [sampleAttempt(1, 90.1, { response_status: 200, error_code: null, duration_ms: 100 })],
  });

  it("contains the first delivery and its retries, with the state of the latest", () => {
    const row = endpointRow(words, [retry, dead], msAt(120));
    expect([row.label, row.tone]).toEqual(["hooks.example.com/in", "good"]);
    expect(row.segments.map(({ note }) => note)).toEqual(["503", "200"]);
    expect(row.children.map(({ label }) => label)).toEqual(["Attempt 1", "Retry: Attempt 1"]);
    expect(row.facts).toContainEqual({ label: "Delivery", value: "dlv_2", form: "id" });
  });
});

describe("isDeliveryLive", () => {
  it.each([
    [{ status: "pending" }, true],
    [{ status: "failed", next_attempt_at: at(99) }, true],
    [{ status: "failed", next_attempt_at: at(99), retried_as: "dlv_2" }, false],
    [{ status: "failed" }, false],
    [{ status: "delivered" }, false],
    [{ status: "dead-letter" }, false],
    [{ status: "canceled" }, false],
  ])("%o → %s", (over, live) => {
    expect(isDeliveryLive(sampleDelivery(over))).toBe(live);
  });
});

it("names the facts of an event in the reader's language, and those of a newer gateway by their keys", () => {
  const zh = wordsOf<"predictions">(compiledPart("zh-CN", "predictions"), "zh-CN", "UTC");
  const detail = { event_id: "evt_1", size_bytes: 1200, new_thing: "x" };
  const labels = (t: typeof zh) => detailFacts(t, detail).map(({ label }) => label);
  expect(labels(zh)).toEqual(["事件 ID", "大小", "new thing"]);
  expect(labels(english("predictions"))).toEqual(["event id", "size", "new thing"]);
});
