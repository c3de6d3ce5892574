import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { type PageTitle, pages } from "../resource-pages.ts";
import { chapterOf } from "./chapters.ts";
import { readChapters } from "./help.ts";

/** The pages of the rail, and every other title that a page has. */
const inRail = Object.values(pages).flatMap((page) => ("rail" in page ? [page.rail.title] : []));
const titles = globSync("app/(console)/**/page.tsx").flatMap((file) =>
  [...readFileSync(file, "utf8").matchAll(/title: "(\w+)"/g)].map(([, title = ""]) => title as PageTitle),
);

it.each(inRail)("%s links to a chapter", async (title) => {
  const slug = chapterOf(title)?.replace("/public/help/", "") ?? "";
  expect([...(await readChapters()).keys()]).toContain(slug);
});

it("names pages and chapters that exist", async () => {
  const slugs = new Set((await readChapters()).keys());
  const found = [...new Set(titles)].flatMap((title) => chapterOf(title) ?? []);
  expect(found.length).toBeGreaterThan(60);
  for (const href of found) expect(slugs).toContain(href.replace("/public/help/", ""));
});
