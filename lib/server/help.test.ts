import { expect, it } from "vitest";
import { languageCodes } from "@/messages/languages";
import { english } from "@/scripts/testing/english";
import { foundText, readChapters, translatedChapter } from "./help.ts";

const t = english("publicPages");

it("reads every chapter with its title", async () => {
  const chapters = await readChapters();
  expect(chapters.get("money")).toMatchObject({ slug: "money", title: "Money" });
  expect([...chapters.values()].filter(({ title }) => title === "")).toEqual([]);
});

it("finds sections by words in any order, those with a word in the title first", async () => {
  const chapters = (await readChapters()).values();
  const lines = foundText(t, chapters, "PREPAID accounts").split("\n");
  expect(lines[0]).toMatch(/^- \[Budgets: Prepaid accounts\]\(budgets\.md#prepaid-accounts\): … /);
  expect(lines.length).toBeLessThanOrEqual(20);
  const [restore] = foundText(t, (await readChapters()).values(), "restore a copy of the data folder").split(
    "\n",
  );
  expect(restore).toContain("(backup.md#restore-a-copy-of-the-data-folder)");
});

it("shows nothing of what was searched, and no marks of the text", async () => {
  const chapters = await readChapters();
  expect(foundText(t, chapters.values(), "[x](javascript:alert)")).toMatch(/^No chapter has all/);
  const excerpts = foundText(t, chapters.values(), "key").replaceAll(/\[[^\]]*\]\([^)]*\)/g, "");
  expect(excerpts).not.toMatch(/[[\]`*|#<>]/);
});

it.each(languageCodes.filter((code) => code !== "en"))(
  "shows Getting started in %s with the same code",
  async (language) => {
    const english = (await readChapters()).get("getting-started")?.text ?? "";
    const translated = (await translatedChapter(language, "getting-started"))?.text ?? "";
    const codeOf = (text: string) => text.match(/^```[\s\S]*?^```/gm);
    expect(codeOf(english)?.length).toBeGreaterThan(3);
    expect(codeOf(translated)).toEqual(codeOf(english));
    expect(translated.match(/^## /gm)).toEqual(english.match(/^## /gm));
    expect(await translatedChapter(language, "money")).toBeUndefined();
  },
);

it.each(languageCodes.filter((code) => code !== "en"))("lists the same chapters in %s", async (language) => {
  const linked = (text = "") => [...text.matchAll(/\]\((?:\.\.\/)*([\w-]+)\.md\)/g)].map(([, slug]) => slug);
  const english = linked((await readChapters()).get("README")?.text);
  const translated = linked((await translatedChapter(language, "README"))?.text);
  expect(english.length).toBeGreaterThan(40);
  expect(new Set(translated)).toEqual(new Set(english));
});
