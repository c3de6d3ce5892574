import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "..");

/** Where people read English: comments, labels, errors, names of tests, and documents. */
const sources = "{app,components,lib,contract,gateway,scripts,bench,e2e,deploy}/**/*.{ts,tsx,mjs}";
const documents = "{README,ARCHITECTURE,CONTRIBUTING,docs/**/*}.md";

/**
 * Phrases that readers had to read twice, each with an example of what to write instead. They read like a
 * translation, or they hide who does what.
 */
const phrases: readonly [phrase: RegExp, instead: string][] = [
  [
    /(?<!\bconst .{0,80})\b(?:of|than) (?:before|now|then)\b(?=[,.;:)"`])/,
    "name the time: the previous, the current",
  ],
  [/(?:\/\*\*?|\/\/) So (?:many|few|long|much)\b/, "say what is counted: At most this many rows"],
  [/(?:\/\*\*?|\/\/) (?:By whose|Whose)\b/, "name the owner: The account whose runs count"],
  [
    /(?:\/\*\*?|\/\/) What (?:stands|is (?:said|told|known)|becomes)\b/,
    "name the thing: The state of the run",
  ],
  [/\bof one's own\b|\bin one's\b/, "its own, the caller's own"],
  [/\bby whose\b/, "name the subject: the member whose key"],
  [/\bnobody's\b/i, "name who has none: without an owner"],
  [/\b(?:goes|go|going|went) on\b(?! top\b)/, "continues, keeps running, tries the next"],
  [/\b(?:is|are|was|were|be|been|being) told\b(?! apart)/, "is notified, gets, learns"],
  [/(?<!\bconst )\b(?:tells?|telling|told) of\b/, "reports, shows"],
  [/\b(?:is|are|was|were) said\b|\bsaid otherwise\b/, "is reported, is given, by default"],
  [/\bhears? of\b/, "is notified of, gets"],
  [
    /\b(?:stands?|stood) (?:in(?! for\b)|here|there|above|below|beside|behind|on)\b/,
    "is in, is shown beside",
  ],
  [/\b(?:that|this|these|it|him|here|there|account|operators|owners|people|members) alone\b/, "only"],
  [/\blies (?:in|on|between|behind)\b/, "is in, is drawn over"],
  [/\b[Tt]ak(?:e|en|es) (?:it|them|the \w+) off\b/, "clear, remove"],
];

it("no comment, text or document has a phrase that readers had to read twice", () => {
  const files = globSync([sources, documents], { cwd: root }).filter(
    (file) => !file.endsWith("plain-english.test.ts"),
  );
  expect(files.length).toBeGreaterThan(2000);
  expect(files.flatMap((file) => faultsOf(file, readFileSync(path.join(root, file), "utf8")))).toEqual([]);
});

/**
 * One line per phrase: its file, the words around it and what to write instead. Only prose has such runs of
 * words.
 */
function faultsOf(file: string, source: string): string[] {
  const text = source.replaceAll(/\s*\n[ \t]*(?:\*(?!\/)|\/\/)?\s*/g, " ");
  return phrases.flatMap(([phrase, instead]) => {
    const match = phrase.exec(text);
    if (match === null) return [];
    const around = text.slice(Math.max(0, match.index - 40), match.index + match[0].length + 40);
    return [`${file}: "${match[0]}" in "…${around}…". Write instead: ${instead}.`];
  });
}
