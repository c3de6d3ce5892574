import { expect, it } from "vitest";
import { foundText, readChapters } from "./help.ts";

it("reads every chapter with its title", async () => {
  const chapters = await readChapters();
  expect(chapters.get("money")).toMatchObject({ slug: "money", title: "Money" });
  expect([...chapters.values()].filter(({ title }) => title === "")).toEqual([]);
});

it("finds sections by words in any order, those with a word in the title first", async () => {
  const chapters = (await readChapters()).values();
  const lines = foundText(chapters, "PREPAID accounts").split("\n");
  expect(lines[0]).toMatch(/^- \[Budgets: Prepaid accounts\]\(budgets\.md#prepaid-accounts\): … /);
  expect(lines.length).toBeLessThanOrEqual(20);
  const [restore] = foundText((await readChapters()).values(), "restore a copy of the data folder").split(
    "\n",
  );
  expect(restore).toContain("(backup.md#restore-a-copy-of-the-data-folder)");
});

it("shows nothing of what was searched, and no marks of the text", async () => {
  const chapters = await readChapters();
  expect(foundText(chapters.values(), "[x](javascript:alert)")).toMatch(/^No chapter has all/);
  const excerpts = foundText(chapters.values(), "key").replaceAll(/\[[^\]]*\]\([^)]*\)/g, "");
  expect(excerpts).not.toMatch(/[[\]`*|#<>]/);
});
