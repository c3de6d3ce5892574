import { expect, it } from "vitest";
import { askedLanguage } from "./asked-language.ts";

it.each([
  [null, "en"],
  ["", "en"],
  ["zh-CN,zh;q=0.9,en;q=0.8", "zh-CN"],
  ["zh", "zh-CN"],
  ["ZH-hans-sg", "zh-CN"],
  ["zh-TW,en;q=0.5", "zh-CN"],
  ["de-DE,de;q=0.9,zh;q=0.5", "zh-CN"],
  ["en-GB,zh;q=0.9", "en"],
  ["zh;q=0.3,en;q=0.7", "en"],
  ["zh;q=0,fr", "en"],
  ["*", "en"],
  ["__proto__, constructor;q=x", "en"],
  [`${"a,".repeat(100_000)}zh`, "en"],
])("%j asks for %s", (header, language) => {
  expect(askedLanguage(header)).toBe(language);
});
