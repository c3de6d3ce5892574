import { describe, expect, it } from "vitest";
import { english } from "@/scripts/testing/english";
import { readTimeWords } from "./read.ts";

const t = english("ui");

/** The clock of these tests. It is a Wednesday. */
const now = Date.parse("2026-11-25T09:30:00Z");
const berlin = "Europe/Berlin";

function read(text: string, zone = "UTC", nowMs = now): string {
  const { stretch, problem } = readTimeWords(text, nowMs, zone);
  if (!stretch) return t(problem);
  const shown = (ms: number | null) => (ms === null ? "…" : new Date(ms).toISOString().slice(0, 16));
  return `${shown(stretch.fromMs)} ${shown(stretch.toMs)}`;
}

describe("time in words", () => {
  it.each([
    ["today", "2026-11-25T00:00 2026-11-26T00:00"],
    ["Yesterday", "2026-11-24T00:00 2026-11-25T00:00"],
    ["the day before yesterday", "2026-11-23T00:00 2026-11-24T00:00"],
    ["2 days ago", "2026-11-23T00:00 2026-11-24T00:00"],
    ["tuesday", "2026-11-24T00:00 2026-11-25T00:00"],
    ["last Tuesday", "2026-11-24T00:00 2026-11-25T00:00"],
    ["wednesday", "2026-11-25T00:00 2026-11-26T00:00"],
    ["last wed", "2026-11-18T00:00 2026-11-19T00:00"],
    ["on Thursday", "2026-11-19T00:00 2026-11-20T00:00"],
    ["this week", "2026-11-23T00:00 2026-11-30T00:00"],
    ["last week", "2026-11-16T00:00 2026-11-23T00:00"],
    ["last month", "2026-10-01T00:00 2026-11-01T00:00"],
    ["this year", "2026-01-01T00:00 2027-01-01T00:00"],
    ["october", "2026-10-01T00:00 2026-11-01T00:00"],
    ["dec", "2025-12-01T00:00 2026-01-01T00:00"],
    ["24 Nov", "2026-11-24T00:00 2026-11-25T00:00"],
    ["Nov 24th, 2025", "2025-11-24T00:00 2025-11-25T00:00"],
    ["3 december", "2025-12-03T00:00 2025-12-04T00:00"],
    ["24.11.", "2026-11-24T00:00 2026-11-25T00:00"],
    ["24/11/2026", "2026-11-24T00:00 2026-11-25T00:00"],
    ["11/24/2026", "2026-11-24T00:00 2026-11-25T00:00"],
    ["2026-11-24", "2026-11-24T00:00 2026-11-25T00:00"],
  ])("%s means a day or several", (text, stretch) => expect(read(text)).toBe(stretch));

  it.each([
    ["3 hours ago", "2026-11-25T06:30 …"],
    ["an hour ago", "2026-11-25T08:30 …"],
    ["30 min ago", "2026-11-25T09:00 …"],
    ["2 weeks ago", "2026-11-11T09:30 …"],
    ["last hour", "2026-11-25T08:30 …"],
    ["last 24 hours", "2026-11-24T09:30 …"],
    ["past week", "2026-11-18T09:30 …"],
    ["since yesterday", "2026-11-24T00:00 …"],
    ["after 24 Nov", "2026-11-25T00:00 …"],
    ["since tuesday 14:00", "2026-11-24T14:00 …"],
    ["before yesterday", "… 2026-11-24T00:00"],
    ["until yesterday", "… 2026-11-25T00:00"],
  ])("%s means a period without an end", (text, stretch) => expect(read(text)).toBe(stretch));

  it.each([
    ["last Tuesday 14:00 to 15:00", "2026-11-24T14:00 2026-11-24T15:00"],
    ["yesterday 2 to 3 pm", "2026-11-24T14:00 2026-11-24T15:00"],
    ["yesterday between 2pm and 3:30pm", "2026-11-24T14:00 2026-11-24T15:30"],
    ["between 14:00 and 15:00 yesterday", "2026-11-24T14:00 2026-11-24T15:00"],
    ["yesterday 14:00-15:00", "2026-11-24T14:00 2026-11-24T15:00"],
    ["yesterday 14:00 – 15:00", "2026-11-24T14:00 2026-11-24T15:00"],
    ["monday 22:00 to 02:00", "2026-11-23T22:00 2026-11-24T02:00"],
    ["from monday to tuesday", "2026-11-23T00:00 2026-11-25T00:00"],
    ["20 nov - 22 nov", "2026-11-20T00:00 2026-11-23T00:00"],
    ["2026-11-20 to 2026-11-22", "2026-11-20T00:00 2026-11-23T00:00"],
    ["2026-11-24 14:00 - 15:00", "2026-11-24T14:00 2026-11-24T15:00"],
    ["yesterday 14:00 to now", "2026-11-24T14:00 2026-11-25T09:30"],
    ["3 hours ago to 2 hours ago", "2026-11-25T06:30 2026-11-25T07:30"],
    ["yesterday noon to today 8:00", "2026-11-24T12:00 2026-11-25T08:00"],
    ["yesterday 20:00 to midnight", "2026-11-24T20:00 2026-11-25T00:00"],
  ])("%s means a range", (text, stretch) => expect(read(text)).toBe(stretch));

  it.each([
    ["yesterday 14:00", "2026-11-24T14:00 2026-11-24T15:00"],
    ["yesterday at 2pm", "2026-11-24T14:00 2026-11-24T15:00"],
    ["8:15", "2026-11-25T08:15 2026-11-25T09:15"],
    ["14:00", "2026-11-24T14:00 2026-11-24T15:00"],
    ["12 am", "2026-11-25T00:00 2026-11-25T01:00"],
    ["yesterday morning", "2026-11-24T06:00 2026-11-24T12:00"],
    ["2026-11-24T14:00:00Z", "2026-11-24T14:00 2026-11-24T15:00"],
    ["2026-11-24T14:00", "2026-11-24T14:00 2026-11-24T15:00"],
  ])("%s means an hour, or a part of a day", (text, stretch) => expect(read(text)).toBe(stretch));

  it("means a time in the viewer's zone", () => {
    expect(read("yesterday", berlin)).toBe("2026-11-23T23:00 2026-11-24T23:00");
    expect(read("yesterday 14:00 to 15:00", berlin)).toBe("2026-11-24T13:00 2026-11-24T14:00");
    expect(read("yesterday", "America/Los_Angeles", Date.parse("2026-11-25T05:00:00Z"))).toBe(
      "2026-11-23T08:00 2026-11-24T08:00",
    );
    expect(read("2026-11-24T14:00:00+01:00", "Asia/Tokyo")).toBe("2026-11-24T13:00 2026-11-24T14:00");
  });

  it("handles days of 23 and 25 hours, and times that clocks skip or repeat", () => {
    expect(read("29 mar 2026", berlin)).toBe("2026-03-28T23:00 2026-03-29T22:00");
    expect(read("25 oct 2026", berlin)).toBe("2026-10-24T22:00 2026-10-25T23:00");
    expect(read("29 mar 2026 02:30 to 04:00", berlin)).toBe("2026-03-29T01:30 2026-03-29T02:00");
    expect(read("25 oct 2026 02:30 to 04:00", berlin)).toBe("2026-10-25T00:30 2026-10-25T03:00");
  });

  it.each([
    "",
    "soon",
    "31 feb",
    "25:00",
    "13 pm",
    "24.13.",
    "yesterday to",
    "to",
    "last",
    "99",
    "x".repeat(500),
  ])("%j is not understood", (text) => expect(read(text)).toMatch(/^Not understood/));

  it("names the fault of a period that cannot exist", () => {
    expect(read("tuesday to monday")).toBe("The end must be after the start.");
    expect(read("24 dec 2026")).toBe("This time is in the future. Choose an earlier one.");
    expect(read("today 15:00 to 16:00")).toBe("This time is in the future. Choose an earlier one.");
  });
});
