import { expect, it } from "vitest";
import { english } from "@/scripts/testing/english";
import { labelProblem, labelsOfText } from "./labels-dialog.tsx";

const t = english("library");

it("splits labels at commas and removes duplicates", () => {
  expect(labelsOfText(" sea, night,, sea ，夜 ,")).toEqual(["sea", "night", "夜"]);
});

it("reports labels that the gateway would refuse", () => {
  expect(labelProblem(["sea"], t)).toBeNull();
  expect(
    labelProblem(
      Array.from({ length: 11 }, (_, n) => `label ${n}`),
      t,
    ),
  ).toContain("10");
  expect(labelProblem(["x".repeat(51)], t)).toContain("50");
});
