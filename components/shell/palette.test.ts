import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Found, foundStates } from "#contract/search.ts";
import { searchWords } from "#contract/search-words.ts";
import { compiledPart } from "@/messages/compile";
import { wordsOf } from "@/messages/words";
import { english } from "@/scripts/testing/english";
import { destinations } from "./navigation.ts";
import {
  actionRankOf,
  byLastUse,
  describeLast,
  describeUses,
  matching,
  narrow,
  rankOf,
  recentEntries,
} from "./palette.ts";
import { actionWordsOf, pageWords, pageWordsOf, paletteActions } from "./palette-actions.ts";

const chinese = <Of extends "pages" | "palette">(part: Of) =>
  wordsOf<Of>(compiledPart("zh-CN", part), "zh-CN", "UTC");

const row = (name: string): Found => ({
  id: "we_1",
  kind: "endpoint",
  name,
  about: null,
  state: null,
  at: null,
});

it("keeps only those results of an earlier answer that contain the words typed now", () => {
  const answer = {
    object: "search" as const,
    groups: [
      { kind: "endpoint" as const, data: [row("Shop orders"), row("Shop refunds")], has_more: true },
      { kind: "key" as const, data: [row("shop")], has_more: false },
    ],
    partial: [],
  };
  expect(narrow(answer, "REF shop").groups).toEqual([
    { kind: "endpoint", data: [row("Shop refunds")], has_more: true },
  ]);
});

const pages = [{ href: "/" }, { href: "/predictions" }, { href: "/keys" }];
const endpoint = "/webhooks/endpoints/we_01k9aaaaaaaaaaaaaaaaaaaaaa";
const prediction = "/predictions/pred_01k9aaaaaaaaaaaaaaaaaaaaaa";
const places = [
  { href: endpoint, label: "Shop orders" },
  { href: "/keys", label: "Keys" },
  { href: prediction, label: "Failed: prediction pred_01k9…aaaaaa" },
  { href: "/predictions", label: "Predictions" },
  { href: "/catalog/svc/chat-1", label: "" },
];

describe("recently opened places", () => {
  it("are offered in addition to the pages, without the open page", () => {
    expect(recentEntries(places, pages, "/")).toEqual([
      { href: endpoint, label: "Shop orders", about: "we_01k9…aaaaaa" },
      { href: prediction, label: "Failed: prediction pred_01k9…aaaaaa", about: null },
    ]);
    expect(recentEntries(places, pages, endpoint)).toHaveLength(1);
  });

  it("sort the pages, and leave the others in their order", () => {
    expect(byLastUse(pages, places).map(({ href }) => href)).toEqual(["/keys", "/predictions", "/"]);
  });
});

describe("what was typed", () => {
  const best = (names: string[], text: string) =>
    matching(names, searchWords(text), (name) => rankOf(name, searchWords(text))).map(({ item }) => item);

  it("finds the whole name first, then whole words, beginnings and parts", () => {
    expect(best(["Customer 217", "Customer 17 old", "Customer 171", "Customer 17"], "customer 17")).toEqual([
      "Customer 17",
      "Customer 17 old",
      "Customer 171",
      "Customer 217",
    ]);
    expect(best(["Keys", "Monkeys"], "key")).toEqual(["Keys", "Monkeys"]);
    expect(best(["Møller"], "moller")).toEqual(["Møller"]);
  });

  const first = (text: string, titles = english("pages"), t = english("palette")) => {
    const words = searchWords(text);
    const pages = matching(destinations, words, ({ title, href }) =>
      rankOf(titles.text(title), words, pageWordsOf(href)),
    );
    const actions = matching(paletteActions, words, (action) =>
      actionRankOf(t.text(action.label), words, actionWordsOf(action)),
    );
    const [best] = [...pages, ...actions].sort((a, b) => a.rank - b.rank);
    return best && ("title" in best.item ? titles.text(best.item.title) : t.text(best.item.label));
  };

  it.each([
    ["令牌", "密钥"],
    ["账单", "用量"],
    ["日志", "请求"],
    ["token", "密钥"],
    ["创建密钥", "创建密钥"],
    ["存储桶", "目标存储"],
  ])("finds in Chinese with %s: %s", (text, name) => {
    expect(first(text, chinese("pages"), chinese("palette"))).toBe(name);
  });

  it.each([
    ["api key", "Keys"],
    ["key", "Keys"],
    ["token", "Keys"],
    ["secret", "Keys"],
    ["billing", "Usage"],
    ["cost", "Usage"],
    ["logs", "Requests"],
    ["webhook", "Endpoints"],
    ["docs", "Guides"],
    ["jobs", "Predictions"],
    ["people", "Team"],
    ["create key", "Create key"],
    ["new key", "Create key"],
    ["invite", "Invite somebody"],
    ["retry", "Retry failed deliveries"],
    ["dark", "Dark theme"],
    ["log out", "Sign out"],
    ["slack", "Notifications"],
    ["2fa", "Add passkey"],
  ])("%s finds %s", (text, label) => expect(first(text)).toBe(label));
});

describe("a result", () => {
  it("says every state that it can have in Chinese", () => {
    const shown = foundStates.map((state) =>
      describeLast(chinese("palette"), { kind: "endpoint", state, at: null }),
    );
    expect(shown.filter((text) => text && /[a-z]/i.test(text))).toEqual([]);
  });

  it.each([
    ["dead-letter", "dead letter", "死信"],
    ["succeeded", "succeeded", "成功"],
  ])("that is %s is shown as %s and %s", (state, ...shown) => {
    const last = { kind: "delivery", state, at: null } as const;
    expect([english("palette"), chinese("palette")].map((t) => describeLast(t, last))).toEqual(shown);
  });

  it("says how often a value of metadata is used in the reader's language", () => {
    const shown = (about: string) =>
      [english("palette"), chinese("palette")].map((t) => describeUses(t, about));
    expect(shown("1 prediction, 1200 requests")).toEqual([
      "1 prediction, 1,200 requests",
      "1 个预测任务、1,200 个请求",
    ]);
    expect(shown("2 requests")).toEqual(["2 requests", "2 个请求"]);
  });
});

describe("actions", () => {
  const sources = globSync("{app,components}/**/*.tsx").map((file) => readFileSync(file, "utf8"));

  it.each(paletteActions.flatMap(({ label, href }) => (href ? [[label, href] as const] : [])))(
    "%s opens a page, and a dialog that the page has",
    (_, href) => {
      const { pathname, searchParams } = new URL(href, "https://example.com");
      const pages = globSync("app/(console)/**/page.tsx").map((file) =>
        file.replace(/^app|\/page\.tsx$|\/\([^)]*\)/g, ""),
      );
      expect(pages).toContain(pathname);
      const asked = searchParams.get("do");
      if (asked) expect(sources.some((source) => source.includes(`useAsked("${asked}",`))).toBe(true);
    },
  );

  it("give each page other names by which people look for it", () => {
    expect(destinations.map(({ href }) => href).filter((href) => !pageWords[href])).toEqual([]);
  });
});
