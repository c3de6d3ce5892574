import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { WordsProvider } from "@/components/words/words-provider";
import { FailureInShort } from "./failure-in-short.tsx";

afterEach(cleanup);

const failure = { code: "content_blocked", message: "The guard said no." };

it("says in English what the gateway says, and in Chinese the words for its code", async () => {
  const { rerender } = render(<FailureInShort failure={failure} />);
  expect(document.body.textContent).toBe("The guard said no.");
  const inChinese = (shown: typeof failure) => (
    <WordsProvider language="zh-CN" messages={{}}>
      <FailureInShort failure={shown} />
    </WordsProvider>
  );
  rerender(inChinese(failure));
  expect(await screen.findByText("护栏拦截了此次运行")).toBeTruthy();
  rerender(inChinese({ ...failure, code: "not_a_code_yet" }));
  expect(await screen.findByText("The guard said no.")).toBeTruthy();
});
