import { expect, test } from "vitest";
import { plotOf } from "./usage-plot.tsx";

const day = (name: string, quantity: number) => ({ name, quantity, requests: 1, amount: null, notPriced: 0 });

test("bars start at zero, with a height in proportion to a round number", () => {
  const { bars, top } = plotOf([day("2026-03-01", 120), day("2026-03-02", 0), day("2026-03-03", 60)]);
  expect(top).toBe(200);
  expect(bars.map(({ box }) => box.height)).toEqual([60, 0, 30]);
  for (const { box } of bars) expect(box.y + box.height).toBeCloseTo(100);
  expect(plotOf([day("2026-03-01", 0.003)]).top).toBe(0.004);
  expect(plotOf([day("2026-03-01", 1)], [], 2).top).toBe(2);
});

test("the previous period is drawn beside it, on the same scale", () => {
  const { bars, top } = plotOf([day("2026-03-02", 10)], [day("2026-03-01", 40)]);
  expect(top).toBe(40);
  expect(bars[0]?.before?.height).toBeCloseTo(100);
  expect(bars[0]?.box.height).toBeCloseTo(25);
  const [bar] = bars;
  if (bar?.before) expect(bar.before.x + bar.before.width).toBeLessThanOrEqual(bar.box.x + 1e-9);
});

test("the labels start with the first day, end with the last, and stay few", () => {
  const days = Array.from({ length: 90 }, (_, index) =>
    day(new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10), index),
  );
  const { dayLabels } = plotOf(days);
  expect(dayLabels).toHaveLength(5);
  expect(dayLabels[0]).toBe("1 Jan");
  expect(dayLabels.at(-1)).toBe("31 Mar");
  expect(plotOf([day("2026-03-01", 3)]).dayLabels).toEqual(["1 Mar"]);
  expect(plotOf([]).top).toBe(1);
});
