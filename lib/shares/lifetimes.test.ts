import { expect, it } from "vitest";
import { english } from "@/scripts/testing/english";
import { formatLifetime, lifetimeChoices, lifetimesUpTo } from "../shares.ts";

const t = english("shares");

const day = 86_400;

it("offers an hour, a day and a week, and never more than the gateway allows", () => {
  const wordsUpTo = (most: number) => lifetimesUpTo(most).map((seconds) => formatLifetime(seconds, t));
  expect(wordsUpTo(7 * day)).toEqual(["1 hour", "1 day", "7 days"]);
  expect(wordsUpTo(30 * day)).toEqual(["1 hour", "1 day", "7 days", "30 days"]);
  expect(wordsUpTo(day)).toEqual(["1 hour", "1 day"]);
});

it("offers no time after the file's removal", () => {
  const wordsFor = (endsIn: number | null) => lifetimeChoices(30 * day, endsIn, t).map(({ label }) => label);
  expect(wordsFor(null)).toEqual(["1 hour", "1 day", "7 days", "30 days"]);
  expect(wordsFor(day - 5)).toEqual(["1 hour", "Until the file is removed"]);
  expect(wordsFor(60)).toEqual(["Until the file is removed"]);
  expect(wordsFor(90 * day)).toEqual(["1 hour", "1 day", "7 days", "30 days"]);
});
