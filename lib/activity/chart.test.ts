import { expect, it } from "vitest";
import type { ActivityRow } from "#contract/activity.ts";
import { axisTop, barsOf, linesOf, stepsOf, topOf, valuesOf } from "./chart.ts";
import { spanBounds, stepsFor } from "./spans.ts";

const list = { from: "2026-11-20T00:00:00.000Z", to: "2026-11-20T04:00:00.000Z", step: "hour" } as const;
const row = (at: string, runs: number) => ({ at, group: null, runs }) as ActivityRow;

it("draws every step, even steps without data", () => {
  expect(stepsOf(list)).toHaveLength(4);
  const data = [row("2026-11-20T01:00:00.000Z", 3)];
  expect(valuesOf({ ...list, data }, ({ runs }) => runs, 0)).toEqual([0, 3, 0, 0]);
  expect(valuesOf({ ...list, data }, ({ runs }) => runs)).toEqual([null, 3, null, null]);
});

it("leaves a gap in a line where nothing was measured, and shows a single value between gaps", () => {
  expect(linesOf([5, 10, null, null], 10)).toEqual(["12.5,50 37.5,0"]);
  expect(linesOf([null, 5, null, 5], 10)).toEqual(["25,50 50,50", "75,50 100,50"]);
  expect(linesOf([null, null], 10)).toEqual([]);
});

it("stacks bars on a baseline of zero, below a round number", () => {
  const series = [
    { name: "good", tone: "good", values: [10, 0] },
    { name: "bad", tone: "bad", values: [5, 20] },
  ] as const;
  const given = series.map((one) => ({ ...one, values: [...one.values] }));
  expect(topOf(given, true)).toBe(20);
  const [good = [], bad = []] = barsOf(given, 20);
  expect(good).toHaveLength(1);
  expect(good[0]).toMatchObject({ y: 50, height: 50 });
  expect(bad[0]).toMatchObject({ y: 25, height: 25 });
  expect(bad[1]).toMatchObject({ y: 0, height: 100 });
  expect(topOf([], true)).toBe(2);
});

it("ends an axis at a number that is whole when halved", () => {
  expect([2, 3, 5, 7, 10, 11, 45, 600, 601].map(axisTop)).toEqual([2, 4, 6, 10, 10, 20, 60, 600, 1000]);
});

it("ends with the current step", () => {
  const now = Date.parse("2026-11-20T10:20:30Z");
  expect(spanBounds("24h", now)).toEqual({
    from: "2026-11-19T11:00:00.000Z",
    to: "2026-11-20T11:00:00.000Z",
    step: "hour",
  });
  expect(spanBounds("30d", now).to).toBe("2026-11-21T00:00:00.000Z");
});

it("chooses steps that match those of the list below the chart", () => {
  const at = (text: string) => Date.parse(text);
  expect(stepsFor(at("2026-11-20T10:00:30Z"), at("2026-11-20T11:00:00Z"))).toMatchObject({
    step: "minute",
    from: "2026-11-20T10:00:00.000Z",
  });
  expect(stepsFor(at("2026-11-19T10:00:00Z"), at("2026-11-20T11:00:00Z")).step).toBe("hour");
  expect(stepsFor(at("2026-10-20T10:00:00Z"), at("2026-11-20T11:00:00Z")).step).toBe("day");
});
