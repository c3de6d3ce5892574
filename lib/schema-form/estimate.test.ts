import { expect, it } from "vitest";
import type { CatalogOperation } from "#contract/catalog.ts";
import { english } from "@/scripts/testing/english";
import { estimateOf } from "./estimate.ts";

const tokens = { billing_unit: "token", limits: {} } as unknown as CatalogOperation;

it("estimates the tokens of messages and of texts to embed, and counts input that already consists of tokens", () => {
  const message = { role: "user", content: "a".repeat(40) };
  expect(estimateOf(english("amounts"), { messages: [message], max_tokens: 200 }, tokens)).toBe(
    "about 10 tokens in, at most 200 out",
  );
  expect(estimateOf(english("amounts"), { input: ["a".repeat(20), "b".repeat(20)] }, tokens)).toBe(
    "about 10 tokens in",
  );
  expect(estimateOf(english("amounts"), { input: [[1, 2, 3], [4]] }, tokens)).toBe("about 4 tokens in");
  expect(estimateOf(english("amounts"), {}, tokens)).toBe("about 1 token in");
});
