import { describe, expect, it } from "vitest";
import { english } from "../../scripts/testing/english.ts";
import { deliveryRow } from "./delivery-row.ts";
import { predictionRows } from "./prediction-rows.ts";
import { rowMeasure, rowSentence, waitLabel } from "./row.ts";
import {
  at,
  finishedPrediction,
  sampleAttempt,
  sampleDelivery,
  samplePrediction,
  startMs,
} from "./testing/samples.ts";

const words = { t: english("predictions"), webhooks: english("webhooks") };

const msAt = (seconds: number) => startMs + seconds * 1000;

describe("the labels of a timeline", () => {
  const retried = sampleDelivery({
    status: "failed",
    attempts: 2,
    next_attempt_at: at(212),
    attempt_log: [sampleAttempt(1, 12), sampleAttempt(2, 52.08)],
  });

  it("show how long each wait between attempts was", () => {
    const waits = deliveryRow(words, retried, msAt(60)).segments.filter((segment) => segment.kind === "wait");
    expect(waits.map((wait) => waitLabel(words.t, wait, msAt(60)))).toEqual([
      "waits 40 s",
      "waits, 2 m 32 s left",
    ]);
  });

  it("show how long an overdue attempt has been waiting", () => {
    const open = deliveryRow(words, retried, msAt(300)).segments.at(-1);
    expect(open && waitLabel(words.t, open, msAt(300))).toBe("waiting for 4 m 8 s");
  });

  it("show the length of bars and the distance of moments", () => {
    const rows = predictionRows(words, finishedPrediction(), [], msAt(20));
    expect(rows.map((row) => rowMeasure(words.t, row, startMs, msAt(20)))).toEqual([
      "at the start",
      "2 s",
      "10 s",
      "at +11.5 s",
      "at +12 s",
      "at +12 s",
      "in 23 h 59 m",
    ]);
  });

  it("count up in a running row", () => {
    const rows = predictionRows(words, samplePrediction(), [], msAt(3.4));
    expect(rows.map((row) => rowMeasure(words.t, row, startMs, msAt(3.4)))).toEqual([
      "at the start",
      "3.4 s",
    ]);
  });

  it("describe a whole row for screen readers", () => {
    expect(rowSentence(words.t, deliveryRow(words, retried, msAt(60)), startMs, msAt(60))).toBe(
      "503 took 80 ms, at +12 s; waits 40 s; 503 took 80 ms, at +52.1 s; waits, 2 m 32 s left",
    );
  });
});
