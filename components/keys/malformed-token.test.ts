import { expect, it } from "vitest";
import { malformedTokens } from "#contract/key-rule-constants.ts";
import { english } from "@/scripts/testing/english";
import { compiledPart } from "../../messages/compile.ts";
import { type Words, wordsOf } from "../../messages/words.ts";
import { malformedText } from "./malformed-token.ts";

it("says why a token is malformed: in English as the gateway does, in Chinese in words of its own", () => {
  const chinese: Words<"keys"> = wordsOf(compiledPart("zh-CN", "keys"), "zh-CN", "UTC");
  for (const sentence of Object.values(malformedTokens)) {
    expect(malformedText(sentence, english("keys"))).toBe(sentence);
    expect(malformedText(sentence, chinese)).toMatch(/\p{Script=Han}.*。$/u);
  }
  expect(malformedText("It is odd.", chinese)).toBe("It is odd.");
});
