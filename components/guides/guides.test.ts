import { globSync } from "node:fs";
import { expect, it } from "vitest";
import { guideTitles } from "@/lib/guides/guide";
import { guideHref } from "@/lib/guides/guide-href";
import { guides } from "@/lib/guides/guides";
import { guideSnippets } from "@/lib/guides/snippets/snippets";

it("shows every snippet once, and links to pages that exist", () => {
  const parts = Object.values(guides).flatMap(({ sections }) => sections.flatMap((section) => section.parts));
  const shown = parts.flatMap((part) => ("snippet" in part ? [part.snippet] : []));
  expect(shown.toSorted()).toEqual(Object.keys(guideSnippets).toSorted());
  const links = [...JSON.stringify(guides).matchAll(/\]\((\/[^)]*)\)/g)].map(([, href]) => href);
  const files = globSync("app/**/page.tsx").map((file) => file.replace(/^app|\/page\.tsx$|\/\([^)]*\)/g, ""));
  const pages = [...files, ...guideTitles.map(({ slug }) => guideHref(slug))];
  expect(links.filter((href) => !pages.includes(href ?? ""))).toEqual([]);
});
