import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { english } from "../../scripts/testing/english.ts";
import { type Axis, axisTicks, position, timelineAxis } from "./axis.ts";
import { predictionRows } from "./prediction-rows.ts";
import type { Segment, TimelineRow } from "./row.ts";
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
const width = (axis: Axis, from: number, to: number) => position(axis, msAt(to)) - position(axis, msAt(from));

function rowOf(segments: Partial<Segment>[]): TimelineRow {
  return {
    id: "x",
    kind: "run",
    label: "",
    tone: "busy",
    facts: [],
    children: [],
    segments: segments.map((segment) => ({
      kind: "run",
      startMs: 0,
      endMs: 0,
      open: false,
      tone: "busy",
      note: null,
      ...segment,
    })),
  };
}

describe("timelineAxis", () => {
  it("is linear while the work is running", () => {
    const axis = timelineAxis(predictionRows(words, samplePrediction(), [], msAt(10)));
    expect(axis.pieces.map((piece) => piece.broken)).toEqual([false]);
    expect(position(axis, msAt(5))).toBeCloseTo(0.5);
  });

  it("keeps 12 s of work readable next to 24 h of retention", () => {
    const axis = timelineAxis(predictionRows(words, finishedPrediction(), [], msAt(20)));
    expect(axis.pieces.map((piece) => piece.broken)).toEqual([false, true]);
    expect(width(axis, 2, 12)).toBeGreaterThan(0.5);
    expect(width(axis, 0, 2) / width(axis, 2, 12)).toBeCloseTo(0.2);
    expect(position(axis, axis.endMs)).toBe(1);
  });

  it("gives each of eight attempts over fifteen hours enough room, and longer waits more of it", () => {
    const starts = [12.1, 22, 62, 222, 862, 3422, 13_662, 54_622];
    const delivery = sampleDelivery({
      status: "dead-letter",
      attempts: 8,
      attempt_log: starts.map((seconds, index) => sampleAttempt(index + 1, seconds)),
    });
    const axis = timelineAxis(predictionRows(words, finishedPrediction(), [delivery], msAt(60_000)));
    for (let i = 1; i < starts.length; i++) {
      expect(width(axis, starts[i - 1] ?? 0, starts[i] ?? 0)).toBeGreaterThan(0.02);
    }
    expect(width(axis, 13_662, 54_622)).toBeGreaterThan(width(axis, 22, 62));
    expect(width(axis, 0, 12)).toBeGreaterThan(0.15);
  });

  it("does not break the axis for a short pause", () => {
    const axis = timelineAxis([rowOf([{ endMs: 400 }, { startMs: 900, endMs: 1300 }])]);
    expect(axis.pieces).toHaveLength(1);
  });

  it("works for a single moment, and for no data", () => {
    expect(position(timelineAxis([rowOf([{ kind: "moment" }])]), 0)).toBe(0);
    expect(position(timelineAxis([]), 5)).toBe(1);
  });

  it("always runs from 0 to 1, never backwards, for any segments", () => {
    const segment = fc.record({
      kind: fc.constantFrom("moment", "queue", "run", "attempt", "wait", "deadline"),
      startMs: fc.integer({ min: 0, max: 1e9 }),
      lengthMs: fc.integer({ min: 0, max: 1e9 }),
    });
    fc.assert(
      fc.property(
        fc.array(segment, { minLength: 1, maxLength: 30 }),
        fc.array(fc.integer({ min: 0, max: 2e9 })),
        (list, times) => {
          const axis = timelineAxis([
            rowOf(
              list.map(({ kind, startMs: from, lengthMs }) => ({
                kind: kind as Segment["kind"],
                startMs: from,
                endMs: kind === "moment" ? from : from + lengthMs,
              })),
            ),
          ]);
          expect(axis.pieces[0]?.from).toBe(0);
          expect(axis.pieces.at(-1)?.to).toBeCloseTo(1, 9);
          expect(axis.pieces[0]?.startMs).toBe(axis.startMs);
          expect(axis.pieces.at(-1)?.endMs).toBe(axis.endMs);
          const places = times.sort((a, b) => a - b).map((ms) => position(axis, ms));
          for (let i = 1; i < places.length; i++)
            expect((places[i] ?? 0) - (places[i - 1] ?? 0)).toBeGreaterThanOrEqual(-1e-9);
        },
      ),
    );
  });
});

describe("axisTicks", () => {
  it("have distance, start at zero and name the end", () => {
    const ticks = axisTicks(timelineAxis(predictionRows(words, finishedPrediction(), [], msAt(20))), 640);
    expect(ticks[0]).toMatchObject({ elapsedMs: 0, at: 0 });
    expect(ticks.at(-1)).toMatchObject({ elapsedMs: (12 + 86_400) * 1000, at: 1 });
    for (let i = 1; i < ticks.length; i++) {
      expect((ticks[i]?.at ?? 0) - (ticks[i - 1]?.at ?? 0)).toBeGreaterThan(0.08);
    }
  });

  it("are fewer when there is less room", () => {
    const axis = timelineAxis(predictionRows(words, finishedPrediction(), [], msAt(20)));
    expect(axisTicks(axis, 240).length).toBeLessThan(axisTicks(axis, 900).length);
  });

  it("are at round seconds while the prediction runs", () => {
    const ticks = axisTicks(timelineAxis(predictionRows(words, finishedPrediction(), [], msAt(20))), 640);
    expect(ticks.map((tick) => tick.elapsedMs).filter((ms) => ms < 13_000)).toEqual([
      0, 2000, 4000, 6000, 8000, 10_000, 12_000,
    ]);
  });

  it("allow a delivery long after a short prediction", () => {
    const delivery = sampleDelivery({
      status: "failed",
      next_attempt_at: at(1e6),
      attempt_log: [sampleAttempt(1, 12)],
    });
    expect(
      axisTicks(timelineAxis(predictionRows(words, finishedPrediction(), [delivery], msAt(20))), 640).length,
    ).toBeGreaterThan(2);
  });
});
