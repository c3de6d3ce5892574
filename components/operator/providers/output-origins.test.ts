import { expect, it } from "vitest";
import { english } from "@/scripts/testing/english";
import { outputOriginsOf, outputOriginsProblem } from "./provider-values.ts";

it("reads one origin per line, and names an invalid one", () => {
  const text = " http://10.0.0.5:9000\n\nhttps://files.example ";
  expect(outputOriginsOf(text)).toEqual(["http://10.0.0.5:9000", "https://files.example"]);
  expect(outputOriginsProblem(english("providers"), text)).toBe(true);
  expect(outputOriginsProblem(english("providers"), "")).toBe(true);
  expect(outputOriginsProblem(english("providers"), "https://files.example/out")).toContain(
    "https://files.example/out is not an origin",
  );
});
