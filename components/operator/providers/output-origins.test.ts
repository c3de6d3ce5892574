import { expect, it } from "vitest";
import { outputOriginsOf, outputOriginsProblem } from "./provider-values.ts";

it("reads one origin per line, and names an invalid one", () => {
  const text = " http://10.0.0.5:9000\n\nhttps://files.example ";
  expect(outputOriginsOf(text)).toEqual(["http://10.0.0.5:9000", "https://files.example"]);
  expect(outputOriginsProblem(text)).toBe(true);
  expect(outputOriginsProblem("")).toBe(true);
  expect(outputOriginsProblem("https://files.example/out")).toContain(
    "https://files.example/out is not an origin",
  );
});
