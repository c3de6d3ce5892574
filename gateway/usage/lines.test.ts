import { expect, it } from "vitest";
import type { Usage } from "#gateway/core/usage.ts";
import { type RunDetail, usageLines } from "./lines.ts";

const kinds = (usage: Usage, detail?: RunDetail) =>
  Object.fromEntries(usageLines(usage, detail).map(({ kind, quantity }) => [kind, quantity]));

it("separates input and output tokens, with hidden reasoning in the output", () => {
  const tokens = { prompt_tokens: 12 };
  expect(kinds({ unit: "token", quantity: 17 }, { tokens })).toEqual({
    "token:input": 12,
    "token:output": 5,
  });
  expect(kinds({ unit: "token", quantity: 12 }, { tokens })).toEqual({ "token:input": 12 });
  expect(kinds({ unit: "token", quantity: 17 })).toEqual({ token: 17 });
});

it("separates seconds by resolution", () => {
  const input = { resolution: "720P" };
  expect(kinds({ unit: "second", quantity: 2.5 }, { input })).toEqual({ "second:720P": 2.5 });
  expect(kinds({ unit: "second", quantity: 2 })).toEqual({ second: 2 });
});

it("separates images by size and quality", () => {
  const outputs = [
    { width: 1024, height: 1024 },
    { width: 512, height: 768 },
    { width: 1024, height: 1024 },
  ];
  const input = { size: "1024*1024", quality: "high" };
  expect(kinds({ unit: "generation", quantity: 3 }, { input, outputs })).toEqual({
    "generation:1024x1024:high": 2,
    "generation:512x768:high": 1,
  });
  expect(kinds({ unit: "generation", quantity: 1 }, { input, outputs: [{}] })).toEqual({
    "generation:1024x1024:high": 1,
  });
  // Billed for another number than it sent.
  expect(kinds({ unit: "generation", quantity: 4 }, { input, outputs })).toEqual({
    "generation:1024x1024:high": 4,
  });
});

it.each(["", "x".repeat(21), "a:b", "a b", 5, null])(
  "does not put a resolution of %j into the kind",
  (resolution) => {
    expect(kinds({ unit: "second", quantity: 1 }, { input: { resolution } })).toEqual({ second: 1 });
  },
);

it.each([0, Number.NaN, Number.POSITIVE_INFINITY])("has no line for a quantity of %d", (quantity) => {
  expect(usageLines({ unit: "second", quantity })).toEqual([]);
});
