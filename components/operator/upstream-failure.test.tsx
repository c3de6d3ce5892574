import { cleanup, render, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { WordsProvider } from "@/components/words/words-provider";
import { UpstreamFailure } from "./upstream-failure.tsx";

afterEach(cleanup);

const shown = (language: "en" | "zh-CN", code: string | undefined) =>
  render(
    <WordsProvider language={language} messages={{}}>
      <UpstreamFailure code={code} message="Overloaded" />
    </WordsProvider>,
  ).container;

it("says what the code means, then what the upstream said", async () => {
  const read = shown("zh-CN", "upstream_timeout");
  await waitFor(() => expect(read.textContent).toBe("提供方没有及时响应。请重试。 Overloaded"));
  expect(read.querySelector("[lang=en]")?.textContent).toBe("Overloaded");
});

it.each([
  ["en", "upstream_timeout"],
  ["zh-CN", undefined],
] as const)("in %s with the code %s it is what the upstream said", (language, code) => {
  expect(shown(language, code).textContent).toBe("Overloaded");
});
