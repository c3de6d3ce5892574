import { expect, it } from "vitest";
import { reservedSize } from "./reserved-size.ts";

it("keeps the shape within every bound", () => {
  expect(reservedSize(1280, 720, "60vh")).toEqual({
    aspectRatio: "1280 / 720",
    width: "min(100%, 1280px, calc(60vh * 1.7778))",
  });
});

it("reserves nothing that it does not know", () => {
  expect(reservedSize(null, 720, "60vh")).toBeUndefined();
});
