import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { Sentence } from "#contract/sentences.ts";
import { compiledPart } from "@/messages/compile";
import type { Language } from "@/messages/languages";
import { Coded } from "./coded.tsx";
import { WordsProvider } from "./words-provider.tsx";

afterEach(cleanup);

const refused: Sentence = { code: "key_refused", values: { status: "401" } };
const message: Sentence = { code: "provider_said", values: { message: "No such key" } };
const text = "The key was refused (HTTP 401). Its message: No such key";

function shown(language: Language, codes: readonly Sentence[] | undefined) {
  const messages = { sentences: compiledPart(language, "sentences") };
  return render(
    <WordsProvider language={language} messages={messages}>
      <Coded text={text} codes={codes} />
    </WordsProvider>,
  ).container;
}

it("says sentences in the reader's language, and marks what somebody else wrote", () => {
  const read = shown("zh-CN", [refused, message]);
  expect(read.textContent).toBe("密钥被拒绝（HTTP 401）。提供方的消息：No such key");
  expect(read.querySelector("[lang=en]")?.textContent).toBe("No such key");
});

it("says first which place a sentence is about", () => {
  const at = "sg-singapore";
  const codes = [{ code: "key_variable_not_set", values: { name: "ACME_KEY" }, at }];
  expect(shown("zh-CN", codes).textContent).toBe("sg-singapore：环境变量 ACME_KEY 未设置。");
});

it.each([
  ["in English", "en", [refused, message]],
  ["without codes, as of an older gateway", "zh-CN", undefined],
  ["with a code of a newer gateway", "zh-CN", [refused, { code: "of_tomorrow", values: {} }]],
] as const)("shows the gateway's English %s", (_, language, codes) => {
  const read = shown(language, codes);
  expect(read.textContent).toBe(text);
  expect(read.querySelector("[lang=en]")?.textContent).toBe(text);
});
