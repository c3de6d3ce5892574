import { expect, it } from "vitest";
import { english } from "@/scripts/testing/english";
import { valueLabels } from "./labels.ts";

it("labels choices that are objects or lists, and distinguishes values with equal labels", () => {
  expect(
    valueLabels(
      [
        { width: 512, height: 768 },
        { label: "Wide", width: 1344, height: 768 },
        { max_steps: 4, guidance: null },
        [16, 9],
        "reference_image",
        null,
      ],
      english("inputForm"),
    ),
  ).toEqual(["512 × 768", "Wide", "Max steps 4, guidance none", "16, 9", "Reference image", "None"]);
  expect(
    valueLabels([{ name: "Fast", steps: 4 }, { name: "Fast", steps: 8 }, "slow"], english("inputForm")),
  ).toEqual(['{"name":"Fast","steps":4}', '{"name":"Fast","steps":8}', "Slow"]);
});
