import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { PromptCacheList, PromptCacheRow } from "#contract/usage.ts";
import { WordsContext } from "@/components/words/words-provider";
import { compiledPart } from "@/messages/compile";
import { PromptCache } from "./prompt-cache.tsx";

afterEach(cleanup);

const sums = (input: number, cached: number, amount: string | null) => ({
  ...{ input_tokens: input, cached_tokens: cached, requests: 3 },
  saved: { amount, currency: "USD", not_priced: amount === null ? 3 : 0 },
});
const list = (...data: PromptCacheRow[]): PromptCacheList => ({
  ...{ object: "list", data, has_more: false, total: sums(1_500, 700, "1.25") },
});

function show(upstreamKey: string | null) {
  const lists = {
    model: list({ model: "acme/a", ...sums(1_000, 700, "1.25") }, { model: "acme/b", ...sums(500, 0, null) }),
    provider: list({ provider: "acme", ...sums(1_500, 700, "1.25") }),
    upstream_key: list({ provider: "acme", upstream_key: upstreamKey, ...sums(1_500, 700, "-0.1") }),
    key: list({ key_id: "key_1", ...sums(1_500, 700, "1.25") }, { key_id: null, ...sums(1, 0, "0") }),
  };
  render(<PromptCache lists={lists} keyNames={{ key_1: "Server" }} />);
}

it("shows the cached share and what it saved; a model without a price is not priced", () => {
  show("main");
  expect(screen.getByRole("row", { name: /acme\/a/ }).textContent).toBe("acme/a70 %1,0001.25 USD");
  expect(screen.getByRole("row", { name: /acme\/b/ }).textContent).toBe("acme/b0 %5003 runs not priced");
  expect(screen.getByRole("row", { name: /^All/ }).textContent).toBe("All47 %1,5001.25 USD");
  expect(screen.getByRole("row", { name: /acme: main/ }).textContent).toContain("-0.10 USD");
  expect(screen.getByRole("row", { name: /Server/ })).toBeDefined();
  expect(screen.getByRole("row", { name: /Signed-in people/ })).toBeDefined();
});

it("has no table of providers' keys if each provider has one, and nothing without input", () => {
  show(null);
  expect(screen.queryByRole("table", { name: /provider’s key/ })).toBeNull();
  cleanup();
  const uncached = { ...list(), total: sums(1_500, 0, "0") };
  render(
    <PromptCache
      lists={{ model: uncached, provider: uncached, upstream_key: uncached, key: uncached }}
      keyNames={{}}
    />,
  );
  expect(screen.queryByRole("table")).toBeNull();
  screen.getByText(/No input came from/);
  cleanup();
  const nothing = { ...list(), total: sums(0, 0, null) };
  render(
    <PromptCache
      lists={{ model: nothing, provider: nothing, upstream_key: nothing, key: nothing }}
      keyNames={{}}
    />,
  );
  expect(document.body.textContent).toBe("");
});

it("shows the ids of accounts that share a name", () => {
  const model = list({ model: "acme/a", ...sums(1_500, 700, "1.25") });
  const ofAccount = (account_id: string, account_name: string) => ({
    ...{ account_id, account_name },
    ...sums(500, 200, "0.5"),
  });
  const account = {
    ...model,
    data: [ofAccount("acct_1", "Acme"), ofAccount("acct_2", "Acme"), ofAccount("acct_3", "Other")],
  };
  const { rerender } = render(<PromptCache lists={{ model, account }} keyNames={{}} />);
  const namesIn = (label: string) =>
    within(screen.getByRole("table", { name: label }))
      .getAllByRole("row")
      .slice(1)
      .map((row) => row.firstChild?.textContent);
  expect(namesIn("Prompt cache by account")).toEqual(["Acme (acct_1)", "Acme (acct_2)", "Other"]);
  rerender(
    <WordsContext value={{ language: "zh-CN", messages: { usage: compiledPart("zh-CN", "usage") } }}>
      <PromptCache lists={{ model, account }} keyNames={{}} />
    </WordsContext>,
  );
  expect(namesIn("提示词缓存（按账户）")).toEqual(["Acme（acct_1）", "Acme（acct_2）", "Other"]);
});
