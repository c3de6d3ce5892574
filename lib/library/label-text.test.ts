import { expect, it } from "vitest";
import { labelProblem, labelsOfText } from "./label-text.ts";

it("reads labels between commas, each once", () => {
  expect(labelsOfText(" sea, night,, sea ,")).toEqual(["sea", "night"]);
});

it("says what the gateway would refuse", () => {
  expect(labelProblem(["sea"])).toBeNull();
  expect(labelProblem(Array.from({ length: 11 }, (_, n) => `label ${n}`))).toContain("10");
  expect(labelProblem(["x".repeat(51)])).toContain("50");
});
