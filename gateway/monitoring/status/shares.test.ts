import { expect, it } from "vitest";
import { shareOf, sharesOf } from "./status.ts";

it("has no share when nothing ran, and is never 100 % after a fault", () => {
  expect(shareOf({ good: 0, faults: 0 })).toBeNull();
  expect(shareOf({ good: 5, faults: 0 })).toBe(1);
  expect(shareOf({ good: 99_999, faults: 1 })).toBe(0.999);
  expect(shareOf({ good: 0, faults: 3 })).toBe(0);
});

it("does not reveal how few runs there were", () => {
  expect(shareOf({ good: 2, faults: 1 })).toBe(0.6);
  expect(shareOf({ good: 4, faults: 2 })).toBe(0.6);
  expect(shareOf({ good: 13, faults: 6 })).toBe(0.6);
  expect(shareOf({ good: 14, faults: 6 })).toBe(0.7);
  expect(shareOf({ good: 29, faults: 71 })).toBe(0.29);
});

it("lists every day and the total of all days", () => {
  const [first, second] = [Date.parse("2026-11-23"), Date.parse("2026-11-24")];
  const row = { model: "svc/chat-1", region: "" };
  const rows = [
    { ...row, at: second, good: 100, faults: 0 },
    { ...row, at: second, good: 0, faults: 100 },
    { ...row, at: Date.parse("2026-10-01"), good: 0, faults: 100 },
  ];
  expect(sharesOf(rows, [first, second])).toEqual({
    share: 0.5,
    days: [
      { day: "2026-11-23", share: null },
      { day: "2026-11-24", share: 0.5 },
    ],
  });
});
