import { expect, it } from "vitest";
import { english } from "@/scripts/testing/english";
import { titleOf } from "./labels.ts";

it("uses a field's title as label, or words made from the key when the title repeats the key", () => {
  expect(titleOf(english("inputForm"), "num_outputs", { title: "Number of pictures" })).toBe(
    "Number of pictures",
  );
  expect(titleOf(english("inputForm"), "aspect_ratio", { title: "aspect_ratio" })).toBe("Aspect ratio");
});
