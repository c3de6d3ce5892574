import { expect, it } from "vitest";
import { english } from "@/scripts/testing/english";
import { sumOfAnswers } from "./sum-of-answers.ts";

const t = english("conversations");

const answer = { model: "svc/chat-1", input_tokens: 1_200, output_tokens: 80 };

it("adds tokens, and amounts exactly", () => {
  const answers = ["0.1 USD", "0.2 USD", "0.000000000001 USD"].map((cost) => ({ ...answer, cost }));
  expect(sumOfAnswers(answers, t)).toEqual(["3,600 tokens in, 240 out", "0.30 USD"]);
});

it("counts answers without a price or with an unknown cost, and never adds 0 for them", () => {
  const answers = [
    { ...answer, cost: "0.02 USD" },
    { ...answer, cost: "Not priced" },
    { model: "svc/chat-1", ended: "stopped" as const },
    { ...answer, sandbox: true },
  ];
  expect(sumOfAnswers(answers, t)).toEqual([
    "3,600 tokens in, 240 out",
    "0.02 USD",
    "1 not priced",
    "1 incomplete, of unknown cost",
  ]);
});

it("says that the sandbox costs nothing", () => {
  expect(sumOfAnswers([{ ...answer, sandbox: true }], t)).toEqual([
    "1,200 tokens in, 80 out",
    "the sandbox costs nothing",
  ]);
});
