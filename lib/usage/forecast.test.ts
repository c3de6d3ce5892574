import { expect, it } from "vitest";
import { forecastFrom, forecastOf } from "./forecast.ts";

const day = (name: string, amount: string | null) => ({ name, amount });
const now = Date.parse("2026-11-24T08:00:00Z");

it("expects the coming days to cost as much as the last seven whole days", () => {
  const days = [
    day("2026-10-31", "100"),
    day("2026-11-02", "10"),
    ...["17", "18", "19", "20", "21", "22", "23"].map((date) => day(`2026-11-${date}`, "7")),
    day("2026-11-24", "1"),
  ];
  // So far: 10 + 49 + 1. Today is expected to end at 7, followed by six days of 7.
  expect(forecastOf(days, now)).toEqual({ soFar: "60", expected: "108", lastDay: "2026-11-30" });
});

it("has no forecast without recent cost, and uses days of the previous month", () => {
  expect(forecastOf([day("2026-11-02", "10"), day("2026-11-23", null)], now)).toBeNull();
  expect(forecastFrom(now)).toBe("2026-11-01");
  expect(forecastFrom(Date.parse("2026-11-03T00:00:00Z"))).toBe("2026-10-27");
  expect(forecastOf([day("2026-11-30", "7")], Date.parse("2026-12-01T00:00:00Z"))).toEqual({
    soFar: "0",
    expected: "31",
    lastDay: "2026-12-31",
  });
});
