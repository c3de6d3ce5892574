import { expect, it } from "vitest";
import { reservedSize } from "./reserved-size.ts";

it("keeps the aspect ratio within every limit", () => {
  expect(reservedSize(1280, 720, "60vh")).toEqual({
    aspectRatio: "1280 / 720",
    width: "min(100%, 1280px, calc(60vh * 1.7778))",
  });
});

it("reserves no space without a known size", () => {
  expect(reservedSize(null, 720, "60vh")).toBeUndefined();
});
