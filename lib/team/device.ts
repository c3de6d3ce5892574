import type { Words } from "@/messages/words";

const browsers: readonly [RegExp, string][] = [
  [/Edg(e|A|iOS)?\//, "Edge"],
  [/OPR\//, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\//, "Chrome"],
  [/Safari\//, "Safari"],
];

const systems: readonly [RegExp, string][] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/CrOS/, "ChromeOS"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/Linux/, "Linux"],
];

/** A user agent in plain words, such as "Firefox on Windows". A program has its own name. */
export function deviceOf(userAgent: string | null, t: Words<"profile">): string {
  if (!userAgent) return t("unknownDevice");
  const find = (known: typeof browsers) => known.find(([form]) => form.test(userAgent))?.[1];
  const browser = find(browsers);
  const system = find(systems);
  if (browser) return system ? t("browserOn", { browser, system }) : browser;
  return system ? t("programOn", { system }) : (userAgent.split("/")[0]?.slice(0, 40) ?? userAgent);
}
