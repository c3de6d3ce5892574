import { expect, it } from "vitest";
import { destinations } from "@/components/shell/navigation";
import { guideHref } from "@/lib/guides/guide-href";
import { guides } from "@/lib/guides/guides";
import { guideSnippets } from "@/lib/guides/snippets/snippets";
import { guideTitles } from "@/lib/guides/titles";

it("shows every snippet once, and links to pages that exist", () => {
  const parts = Object.values(guides).flatMap(({ sections }) => sections.flatMap((section) => section.parts));
  const shown = parts.flatMap((part) => ("snippet" in part ? [part.snippet] : []));
  expect(shown.toSorted()).toEqual(Object.keys(guideSnippets).toSorted());
  const links = [...JSON.stringify(guides).matchAll(/\]\((\/[^)]*)\)/g)].map(([, href]) => href);
  const pages = [...destinations.map(({ href }) => href), ...guideTitles.map(({ slug }) => guideHref(slug))];
  expect(links.filter((href) => !pages.includes(href ?? ""))).toEqual([]);
});
