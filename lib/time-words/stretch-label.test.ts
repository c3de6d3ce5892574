import { expect, it } from "vitest";
import { english } from "@/scripts/testing/english";
import { stretchLabel } from "./stretch-label.ts";

const t = english("ui");

it.each([
  ["2026-11-24T00:00:00Z", "2026-11-25T00:00:00Z", "24 Nov"],
  ["2026-11-20T00:00:00Z", "2026-11-23T00:00:00Z", "20 Nov – 22 Nov"],
  ["2026-11-24T14:00:00Z", "2026-11-24T15:00:00Z", "24 Nov, 14:00 – 15:00"],
  ["2026-11-24T22:00:00Z", "2026-11-25T02:00:00Z", "24 Nov, 22:00 – 25 Nov, 02:00"],
  ["2026-11-24T14:00:00Z", "", "Since 24 Nov, 14:00"],
  ["", "2026-11-24T00:00:00Z", "Before 24 Nov"],
  ["nonsense", "", "Since nonsense"],
  ["", "", "Any time"],
])("%s to %s is shown as %s", (after, before, label) => {
  expect(stretchLabel(t, after, before, "UTC")).toBe(label);
});

it("uses the days of its zone, and adds weekdays and years where there is room", () => {
  expect(stretchLabel(t, "2026-11-23T23:00:00Z", "2026-11-24T23:00:00Z", "Europe/Berlin", true)).toBe(
    "Tue, 24 Nov 2026",
  );
});
