import { expect, it } from "vitest";
import { english } from "@/scripts/testing/english";
import { dayLabel, describeDays, levelOf, serviceLook, shareLabel } from "./service.ts";

const t = english("status");

it("writes days and shares in words", () => {
  expect(dayLabel(t, "2026-11-03")).toBe("3 Nov");
  expect([1, 0.999, 0.6, 0, null].map((share) => shareLabel(t, share))).toEqual([
    "100 %",
    "99.9 %",
    "60 %",
    "0 %",
    "nothing ran",
  ]);
  expect([1, 0.989, 0.9, null].map(levelOf)).toEqual(["good", "warn", "bad", "none"]);
});

it("names only the days with faults", () => {
  const day = (date: number, share: number | null) => ({ day: `2026-11-${date}`, share });
  expect(describeDays(t, [day(21, null), day(22, 1), day(23, 0.5)])).toBe(
    "Days with faults: 23 Nov 50 %. Nothing ran on 1 day.",
  );
  expect(describeDays(t, [day(22, 1)])).toBe("No faults.");
  expect(describeDays(t, [day(22, null)])).toBe("Nothing ran in 1 day.");
});

it("a region where nothing ran is not said to work", () => {
  expect(serviceLook(t, "operational", null).label).toBe("Not used");
  expect(serviceLook(t, "operational", 1).label).toBe("Works");
  expect(serviceLook(t, "down", null).label).toBe("Down");
});
