import { expect, it } from "vitest";
import { labelProblem, labelsOfText } from "./labels-dialog.tsx";

it("splits labels at commas and removes duplicates", () => {
  expect(labelsOfText(" sea, night,, sea ,")).toEqual(["sea", "night"]);
});

it("reports labels that the gateway would refuse", () => {
  expect(labelProblem(["sea"])).toBeNull();
  expect(labelProblem(Array.from({ length: 11 }, (_, n) => `label ${n}`))).toContain("10");
  expect(labelProblem(["x".repeat(51)])).toContain("50");
});
