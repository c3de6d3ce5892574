import { expect, it } from "vitest";
import { english } from "@/scripts/testing/english";
import { tokenRateTexts } from "./token-rate-texts.ts";
import { modelTokensProblem, tokenRateBody, tokenRateValues } from "./token-rates.ts";

it("converts limits to fields and back", () => {
  const rates = {
    tokens_per_minute: 100_000,
    model_tokens_per_minute: { "svc/chat-1": 5_000, "svc/chat-2": 1 },
  };
  const values = { tokens_per_minute: "100000", model_tokens_per_minute: "svc/chat-1 5000\nsvc/chat-2 1" };
  expect(tokenRateValues(rates)).toEqual(values);
  expect(tokenRateBody(values)).toEqual(rates);
  expect(tokenRateTexts(rates, english("keys"))).toEqual([
    "100,000 tokens/min",
    "svc/chat-1: 5,000 tokens/min",
    "svc/chat-2: 1 tokens/min",
  ]);
  const none = { tokens_per_minute: null, model_tokens_per_minute: null };
  expect(tokenRateBody(tokenRateValues(none))).toEqual(none);
  expect(tokenRateTexts(none, english("keys"))).toEqual([]);
});

it.each(["", "svc/chat-1 5", "  svc/chat-1\t5 \n\n svc/chat-2 1000000000"])("accepts %j", (text) =>
  expect(modelTokensProblem(english("amounts"), text)).toBeUndefined(),
);

it.each([
  ["svc/chat-1", "is not a model and a whole number"],
  ["svc/chat-1 0", "is not a model and a whole number"],
  ["svc/chat-1 5 6", "is not a model and a whole number"],
  ["svc/chat-1 5\nsvc/chat-1 6", "there twice"],
  [Array.from({ length: 101 }, (_, at) => `a/${at} 1`).join("\n"), "at most 100 models"],
])("refuses %j", (text, why) => expect(modelTokensProblem(english("amounts"), text)).toContain(why));
