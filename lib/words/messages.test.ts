import { globSync, readFileSync } from "node:fs";
import compile from "icu-minify/compile";
import { describe, expect, it } from "vitest";
import { billingUnits } from "#contract/catalog-constants.ts";
import { sentenceCodes } from "#contract/sentences.ts";
import { catalogues, compiledPart } from "../../messages/compile.ts";
import { languages } from "../../messages/languages.ts";
import { type Part, wordsOf } from "../../messages/words.ts";
import codes from "../../messages/zh-CN/apart/codes.ts";
import eventTypes from "../../messages/zh-CN/apart/event-types.ts";
import failures from "../../messages/zh-CN/apart/failures.ts";
import guides from "../../messages/zh-CN/apart/guides.ts";
import modelForms from "../../messages/zh-CN/apart/model-forms.ts";

const parts = Object.keys(catalogues.en) as Part[];
const translations = (Object.keys(languages) as (keyof typeof languages)[]).filter((name) => name !== "en");

/** The names of the values and tags that a message takes. */
function argumentsOf(text: string): string[] {
  const names = new Set<string>();
  const read = (node: unknown): void => {
    if (!Array.isArray(node)) return;
    const [name, kind, options] = node;
    names.add(String(name));
    if (typeof kind === "number" && typeof options === "object" && options !== null)
      for (const option of Object.values(options)) [option].flat().forEach(read);
    else node.slice(1).forEach(read);
  };
  const compiled = compile(text);
  if (Array.isArray(compiled)) compiled.forEach(read);
  return [...names].sort();
}

describe.each(translations)("%s", (language) => {
  const messages = parts.flatMap((part) =>
    Object.entries(catalogues[language][part] ?? {}).map(([key, text]) => ({ part, key, text })),
  );

  it("has only messages that English has, with the same values and tags", () => {
    for (const { part, key, text } of messages) {
      const english = catalogues.en[part]?.[key];
      expect(english, `${part}.${key}`).toBeDefined();
      expect([part, key, argumentsOf(text)]).toEqual([part, key, argumentsOf(english ?? "")]);
    }
  });

  it("lacks no message", () => {
    const lacking = parts.flatMap((part) =>
      Object.keys(catalogues.en[part] ?? {}).filter((key) => !catalogues[language][part]?.[key]),
    );
    expect(lacking).toEqual([]);
  });
});

it("no tag has the name of a value, which would take its place", () => {
  const shared = Object.values(catalogues).flatMap((catalogue) =>
    Object.entries(catalogue).flatMap(([part, messages]) =>
      Object.entries(messages).flatMap(([key, text]) => {
        const values = new Set([...text.matchAll(/\{(\w+)[,}]/g)].map(([, name]) => name));
        return [...text.matchAll(/<(\w+)>/g)].some(([, tag]) => values.has(tag)) ? [`${part}.${key}`] : [];
      }),
    ),
  );
  expect(shared).toEqual([]);
});

it("shows English where a language has no message", () => {
  const part = compiledPart("en", "fields");
  expect(compiledPart("zh-CN", "fields")).toHaveProperty("back", "返回");
  expect(Object.keys(compiledPart("zh-CN", "fields"))).toEqual(Object.keys(part));
});

it("has no space before an ellipsis", () => {
  const texts = Object.values(catalogues).flatMap((parts) =>
    Object.values(parts).flatMap(Object.values<string>),
  );
  expect(texts.filter((text) => text.includes(" …"))).toEqual([]);
});

it("every message is used somewhere", () => {
  const source = globSync("{app,components,lib,contract,gateway}/**/*.{ts,tsx}", { exclude: ["**/*.test.*"] })
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
  const words = new Set([...(source.match(/\w+/g) ?? []), ...(source.match(/\w+(?:\.\w+)+/g) ?? [])]);
  /** Names that are put together: `t(`${state}Advice`)`. */
  const made = [...source.matchAll(/\b\w+(?:\.\w+)?\(`([\w.]*(?:\$\{[^`}]*\}[\w.]*)+)`/g)]
    .map(([, name = ""]) => name.replaceAll(/\$\{[^}]*\}/g, "[\\w-]+"))
    .filter((name) => name !== "[\\w-]+")
    .map((name) => new RegExp(`^${name}$`));
  const unsaid = parts.flatMap((part) =>
    Object.keys(catalogues.en[part] ?? {})
      // `t(`${state}Advice`)`, and codes of the gateway.
      .filter(
        (key) =>
          ![key, key.replace(/(Advice|Text|Action|Else)$/, "")].some((name) => words.has(name)) &&
          !made.some((name) => name.test(key)),
      )
      .map((key) => `${part}.${key}`),
  );
  expect(unsaid).toEqual([]);
});

describe("Chinese", () => {
  const all = [
    ...parts.map((part) => catalogues["zh-CN"][part] ?? {}),
    failures,
    codes,
    eventTypes,
    guides,
    modelForms,
  ].flatMap((part) => Object.values(part));
  /** What is between the values and tags of a message. */
  const texts = all.flatMap((text) => text.split(/\{\w+(?:, \w+)?\}|<\/?\w+>/));

  it("has full-width punctuation", () => {
    expect(texts.filter((text) => /\p{Script=Han}[,;:!?.()]|[,;!?(]\p{Script=Han}/u.test(text))).toEqual([]);
  });

  it("has a space between Chinese and Latin letters or figures", () => {
    const plain = texts.map((text) => text.replaceAll(/\w+, select,|\b\w+ \{/g, ""));
    expect(
      plain.filter((text) => /\p{Script=Han}[A-Za-z0-9#]|[A-Za-z0-9#]\p{Script=Han}/u.test(text)),
    ).toEqual([]);
  });

  it("uses the terms of the glossary", () => {
    const rows = readFileSync("messages/zh-CN/glossary.md", "utf8").matchAll(
      /^\| ([^|]+) \| ([^|]+) \| ([^|]*) \|$/gm,
    );
    const refused = [...rows]
      .slice(2)
      .flatMap(([, , , never = ""]) => never.split("、").filter((word) => word.trim()));
    expect(refused.length).toBeGreaterThan(20);
    const used = refused.flatMap((word) =>
      all.filter((text) => text.includes(word.trim())).map((text) => [word, text]),
    );
    expect(used).toEqual([]);
  });
});

it("formats values by the language, and puts what a tag makes between the texts", () => {
  const en = wordsOf<"links">(compiledPart("en", "links"), "en", "UTC");
  const zh = wordsOf<"links">(compiledPart("zh-CN", "links"), "zh-CN", "UTC");
  const values = { email: "a@example.com", count: 1200 };
  expect(en("passwordSetNext", { ...values, count: 1 })).toMatch(/1 session ended\.$/);
  expect(en("passwordSetNext", values)).toMatch(/1,200 sessions ended\.$/);
  expect(zh("passwordSetNext", values)).toContain("已结束 1,200 个会话");
  const b = (content: string[]) => ({ bold: content.join("") });
  expect(zh.rich("emailMeans", { email: "a@b.c", from: "d@e.f" }, { b })).toEqual([
    "今后你将以 ",
    { bold: "a@b.c" },
    " 登录，不再使用 d@e.f。",
  ]);
});

it("has spaces beside a Latin name in Chinese, but none beside a Chinese one", () => {
  const zh = wordsOf<"mail">(compiledPart("zh-CN", "mail"), "zh-CN", "UTC");
  expect(zh("invitation", { by: "Ann", account: "Billing" })).toBe("Ann 邀请你加入“Billing”");
  expect(zh("invitation", { by: "李明", account: "财务 组" })).toBe("李明邀请你加入“财务 组”");
  expect(zh("inAccount", { subject: "李明", account: "Billing" })).toBe("【Billing】李明");
  expect(zh("invitation", { by: zh("somebody"), account: "Billing" })).toBe("有人邀请你加入“Billing”");
});

it("has a Chinese word for every billing unit", () => {
  const zh = wordsOf<"playground">(compiledPart("zh-CN", "playground"), "zh-CN", "UTC");
  for (const unit of billingUnits)
    expect(zh("tryWithYourInput", { operation: "chat-completions", unit })).not.toContain(unit);
});

describe("sentences of the gateway", () => {
  const { about: _, ...english } = catalogues.en.sentences ?? {};

  it("have a code in the contract, and every code has words in every language", () => {
    expect(Object.keys(english)).toEqual([...sentenceCodes]);
    for (const language of translations)
      expect(
        sentenceCodes.filter((code) => !catalogues[language].sentences?.[code]),
        language,
      ).toEqual([]);
  });

  it.each(sentenceCodes)("%s says all its values in every language", (code) => {
    const names = argumentsOf(english[code] ?? "").filter((name) => name !== "english");
    const values = Object.fromEntries(names.map((name) => [name, name === "stage" ? "input" : `<${name}>`]));
    for (const language of Object.keys(languages) as (keyof typeof languages)[]) {
      const t = wordsOf<"sentences">(compiledPart(language, "sentences"), language, "UTC");
      const tags = { english: (text: string[]) => text.join("") };
      const said = (t.rich as (...given: unknown[]) => string[])(code, values, tags).join("");
      for (const name of names) if (name !== "stage") expect(said).toContain(values[name]);
      expect(said).not.toMatch(/[{}]/);
    }
  });
});
