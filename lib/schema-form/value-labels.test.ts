import { expect, it } from "vitest";
import { valueLabels } from "./value-labels.ts";

it("reads choices that are objects and lists, and tells apart those that would read alike", () => {
  expect(
    valueLabels([
      { width: 512, height: 768 },
      { label: "Wide", width: 1344, height: 768 },
      { max_steps: 4, guidance: null },
      [16, 9],
      "reference_image",
      null,
    ]),
  ).toEqual(["512 × 768", "Wide", "Max steps 4, guidance none", "16, 9", "Reference image", "None"]);
  expect(valueLabels([{ name: "Fast", steps: 4 }, { name: "Fast", steps: 8 }, "slow"])).toEqual([
    '{"name":"Fast","steps":4}',
    '{"name":"Fast","steps":8}',
    "Slow",
  ]);
});
