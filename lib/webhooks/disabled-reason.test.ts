import { expect, it } from "vitest";
import { english } from "../../scripts/testing/english.ts";
import { disabledReason } from "./refusals.ts";

it.each([
  ["failing", /failed/],
  [null, /failed/],
  ["moon phase", /^Reason: moon phase\.$/],
])("describes %s in words", (reason, expected) => {
  expect(disabledReason(english("webhooks"), reason)).toMatch(expected);
});
