import { expect, it } from "vitest";
import { maxDays, recentMonths, usageSpan } from "./span.ts";
import { daysBetween } from "./summary.ts";

const nowMs = Date.parse("2026-11-27T01:00:00Z");
const span = (asked: object) => Object.values(usageSpan({ days: "30", ...asked }, nowMs));

it.each([
  [{ days: "7" }, ["2026-11-21", "2026-11-27", "2026-11-14", "2026-11-20"]],
  // A past month is compared with the whole month before.
  [{ month: "2026-03" }, ["2026-03-01", "2026-03-31", "2026-02-01", "2026-02-28"]],
  [{ month: "2026-01" }, ["2026-01-01", "2026-01-31", "2025-12-01", "2025-12-31"]],
  // The current month is compared with as many days of the month before.
  [{ month: "2026-11" }, ["2026-11-01", "2026-11-27", "2026-10-01", "2026-10-27"]],
  [{ from: "2026-10-05", to: "2026-10-06" }, ["2026-10-05", "2026-10-06", "2026-10-03", "2026-10-04"]],
  // A range ends today, and takes precedence over a month.
  [
    { from: "2026-11-26", to: "2027-01-01", month: "2026-01" },
    ["2026-11-26", "2026-11-27", "2026-11-24", "2026-11-25"],
  ],
])("%j selects %j", (asked, days) => {
  expect(span(asked)).toEqual(days);
});

it.each([
  { month: "2026-13" },
  { month: "2030-01" },
  { month: "__proto__" },
  { from: "2026-02-30", to: "2026-03-01" },
  { from: "2026-11-02", to: "2026-11-01" },
  { from: "2027-01-01", to: "2027-01-02" },
])("ignores %j", (asked) => {
  expect(span(asked)).toEqual(span({}));
});

it("is bounded, however long the requested range", () => {
  const [from = "", to = ""] = span({ from: "1990-01-01", to: "2026-11-01" });
  expect(daysBetween(from, to)).toHaveLength(maxDays);
});

it("offers the months of a year", () => {
  const months = recentMonths("en", nowMs);
  expect([months[0], months[11]?.value]).toEqual([{ value: "2026-11", label: "November 2026" }, "2025-12"]);
});
