import { expect, it } from "vitest";
import { goOnReasons } from "#contract/alias-constants.ts";
import { english } from "@/scripts/testing/english";
import { aliasSentence } from "./alias-sentence.ts";

const alias = { name: "gpt-5", models: ["svc/chat-1", "svc/chat-2"], continue_streams: false };

it.each([
  [["busy", "down", "too_long", "budget"] as const, "is busy, down, over budget or too small for the input"],
  [["too_long"] as const, "is too small for the input"],
  [goOnReasons, "is busy, down, failing, silent, over budget or too small for the input"],
])("describes when another model answers: %s", (reasons, words) => {
  expect(aliasSentence(english("aliases"), { ...alias, go_on_when: [...reasons] })).toBe(
    `Requests for gpt-5 run on svc/chat-1. If svc/chat-1 ${words}, svc/chat-2 answers instead.`,
  );
});
