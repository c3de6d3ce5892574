import { describe, expect, it } from "vitest";
import {
  formatByteLimit,
  formatBytes,
  formatCount,
  formatCountdown,
  formatDuration,
  formatPercent,
  formatRelative,
  formatsOf,
  formatTime,
  shortenId,
} from "./format.ts";

describe("formatDuration", () => {
  it.each([
    [0, "0 ms"],
    [840, "840 ms"],
    [999.6, "1 s"],
    [1240, "1.24 s"],
    [12_340, "12.3 s"],
    [59_999, "1 m"],
    [192_000, "3 m 12 s"],
    [3_599_600, "1 h"],
    [7_500_000, "2 h 5 m"],
    [273_600_000, "3 d 4 h"],
    [-5, "0 ms"],
  ])("formats %d ms as %s", (ms, text) => expect(formatDuration(ms, "en")).toBe(text));
});

it("formats percentages as a language writes them", () => {
  expect([40, 99.9, 0.05].map((percent) => formatPercent(percent))).toEqual(["40 %", "99.9 %", "0.05 %"]);
  expect(formatPercent(5, "en", 1)).toBe("5.0 %");
  expect([formatPercent(40, "zh-CN"), formatPercent(99.94, "zh-CN", 1)]).toEqual(["40%", "99.9%"]);
});

describe("formatCountdown", () => {
  it.each([
    [-1, "0 s"],
    [400, "1 s"],
    [249_000, "4 m 09 s"],
    [83_040_000, "23 h 4 m"],
  ])("formats %d ms of remaining time as %s", (ms, text) => expect(formatCountdown(ms, "en")).toBe(text));
});

describe("formatBytes", () => {
  it.each([
    [0, "0 B"],
    [999, "999 B"],
    [1234, "1.2 kB"],
    [999_600, "1 MB"],
    [82_000_000, "82 MB"],
    [524_288_000, "524 MB"],
  ])("formats %d as %s", (bytes, text) => expect(formatBytes(bytes)).toBe(text));

  it.each([
    [20 * 1024 * 1024, "20.9 MB"],
    [500 * 1024 * 1024, "524 MB"],
    [30_000_000, "30 MB"],
    [999, "999 B"],
  ])("formats the limit %d as %s, never above the real limit", (bytes, text) =>
    expect(formatByteLimit(bytes)).toBe(text),
  );
});

it("formats relative times, past and future", () => {
  const nowMs = Date.parse("2026-11-20T12:00:00Z");
  expect(formatRelative(nowMs - 1000, nowMs, "en")).toBe("just now");
  expect(formatRelative(nowMs - 61_000, nowMs, "en")).toBe("1 min ago");
  expect(formatRelative(nowMs + 2.5 * 3_600_000, nowMs, "en")).toBe("in 2 hr");
  expect(formatRelative(nowMs - 3 * 86_400_000, nowMs, "en")).toBe("3 days ago");
});

it("formats an exact time in a given zone", () => {
  expect(formatTime("2026-11-20T23:42:07.000Z", "UTC", "en")).toBe("20 Nov 2026, 23:42:07 UTC");
  expect(formatTime("2026-11-20T23:42:07.000Z", "Europe/Berlin", "en")).toContain("21 Nov 2026, 00:42:07");
  expect(formatTime("soon", "UTC", "en")).toBe("soon");
});

it("shortens ids in the middle and leaves short ones whole", () => {
  expect(shortenId("pred_01k9z7m3q4r5s6t7v8w9x0y1z2")).toBe("pred_01k9…x0y1z2");
  expect(shortenId("svc_chat")).toBe("svc_chat");
});

it("counts with the right singular and plural", () => {
  expect(formatCount(1, "run")).toBe("1 run");
  expect(formatCount(1200, "delivery", "deliveries")).toBe("1,200 deliveries");
});

it("writes times and durations as Chinese does", () => {
  const nowMs = Date.parse("2026-11-20T12:00:00Z");
  const format = formatsOf("zh-CN", "UTC");
  expect([840, 1_240, 192_000, 7_500_000, 273_600_000].map(format.duration)).toEqual([
    "840 毫秒",
    "1.24 秒",
    "3 分钟 12 秒",
    "2 小时 5 分钟",
    "3 天 4 小时",
  ]);
  expect([9_000, 249_000].map(format.countdown)).toEqual(["9 秒", "4 分钟 9 秒"]);
  expect(format.relative(nowMs - 1000, nowMs)).toBe("刚刚");
  expect(format.relative(nowMs - 61_000, nowMs)).toBe("1 分钟前");
  expect(format.time("2026-11-20T23:42:07.000Z")).toBe("2026 年 11 月 20 日 23:42:07 UTC");
  expect(format.list(["a", "b"])).toBe("a、b");
  expect([1_000, 15_000].map(format.compact)).toEqual(["1000", "1.5 万"]);
});
