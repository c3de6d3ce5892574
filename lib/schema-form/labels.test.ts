import { expect, it } from "vitest";
import { titleOf } from "./labels.ts";

it("labels a field by its title, and in words where the title is only its key", () => {
  expect(titleOf("num_outputs", { title: "Number of pictures" })).toBe("Number of pictures");
  expect(titleOf("aspect_ratio", { title: "aspect_ratio" })).toBe("Aspect ratio");
});
