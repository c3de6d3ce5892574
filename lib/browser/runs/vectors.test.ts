import { expect, it } from "vitest";
import { similarity, vectorOf } from "./vectors.ts";

it("reads vectors as numbers and as base64, and refuses everything else", () => {
  const bytes = Buffer.alloc(8);
  bytes.writeFloatLE(0.5, 0);
  bytes.writeFloatLE(-2, 4);
  expect(vectorOf(bytes.toString("base64"))).toEqual([0.5, -2]);
  expect(vectorOf([0.5, -2])).toEqual([0.5, -2]);
  for (const other of ["no base64!", [1, "2"], null, {}]) expect(vectorOf(other)).toBeNull();
});

it("computes the similarity of two vectors", () => {
  expect(similarity([1, 0], [2, 0])).toBeCloseTo(1);
  expect(similarity([1, 0], [0, 3])).toBe(0);
  expect(similarity([0, 0], [0, 0])).toBe(0);
});
