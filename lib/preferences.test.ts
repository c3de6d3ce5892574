import { expect, it } from "vitest";
import { defaultPreferences, displayZone, parsePreferences, serialisePreferences } from "./preferences.ts";

it("reads back the preferences that it wrote", () => {
  const preferences = {
    theme: "dark",
    density: "compact",
    language: "zh-CN",
    zone: "utc",
    localZone: "Asia/Tokyo",
    shortcuts: false,
    catalog: "table",
    firstSteps: false,
    operatorSteps: false,
    railSection: null,
    account: "acct_01hzzzzzzzzzzzzzzzzzzzzzzz",
  } as const;
  expect(parsePreferences(serialisePreferences(preferences))).toEqual(preferences);
});

it("falls back to the defaults for damaged values", () => {
  for (const cookie of [
    undefined,
    "",
    "%E0%A4%A",
    "theme=pink&density=huge&zone=mars&localZone=Nowhere/City&catalog=wall&rail=gone",
  ])
    expect(parsePreferences(cookie)).toEqual(defaultPreferences);
});

it("shows local time only after the browser's zone is known", () => {
  expect(displayZone(defaultPreferences)).toBe("UTC");
  expect(displayZone({ ...defaultPreferences, localZone: "Asia/Tokyo" })).toBe("Asia/Tokyo");
  expect(displayZone({ ...defaultPreferences, localZone: "Asia/Tokyo", zone: "utc" })).toBe("UTC");
});
