import "server-only";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { hasWords, searchLimits, searchWords } from "#contract/search-words.ts";
import { anchorOf } from "@/lib/heading-anchor";

/** A chapter of the documentation: a file of `docs/`, whose first heading is its title. */
interface Chapter {
  slug: string;
  title: string;
  text: string;
}

const folder = path.join(process.cwd(), "docs");
const maxFound = 20;
const excerptCharacters = 240;
let reading: Promise<Map<string, Chapter>> | null = null;

/** All chapters by their file's name without its ending, read once; `README` is the list of them. */
export function readChapters(): Promise<Map<string, Chapter>> {
  reading ??= readdir(folder).then(async (names) => {
    const slugs = names.flatMap((name) => /^([\w-]+)\.md$/.exec(name)?.[1] ?? []);
    const texts = await Promise.all(slugs.map((slug) => readFile(path.join(folder, `${slug}.md`), "utf8")));
    const titleOf = (text: string) => /^# (.*)$/m.exec(text)?.[1] ?? "";
    return new Map(
      slugs.map((slug, at) => [slug, { slug, title: titleOf(texts[at] ?? ""), text: texts[at] ?? "" }]),
    );
  });
  return reading;
}

/** The sections that have all words of a search, those with one in their title first, as Markdown. */
export function foundText(chapters: Iterable<Chapter>, search: string): string {
  const words = searchWords(search.slice(0, searchLimits.length));
  const found = [...chapters].flatMap(({ slug, title, text }) =>
    text.split(/^(?=## )/m).flatMap((section) => {
      const [first = "", ...rest] = section.split("\n");
      const heading = first.startsWith("## ") ? first.slice(3) : null;
      const name = heading === null ? title : `${title}: ${heading}`;
      // Without marks, so that nothing of an excerpt is drawn as Markdown.
      const plain = rest
        .join(" ")
        .replaceAll(/\]\([^)]*\)/g, "")
        .replaceAll(/[[\]`*|#<>_-]+|\s+/g, " ");
      if (!hasWords(`${name} ${plain}`, words)) return [];
      const at = Math.max(0, plain.toLowerCase().indexOf(words[0] ?? "") - excerptCharacters / 3);
      const excerpt = plain
        .slice(at, at + excerptCharacters)
        .toWellFormed()
        .trim();
      const link = `[${name}](${slug}.md${heading === null ? "" : `#${anchorOf(heading)}`})`;
      return {
        rank: words.filter((word) => hasWords(name, [word])).length,
        line: `- ${link}: … ${excerpt} …`,
      };
    }),
  );
  const lines = found.sort((a, b) => b.rank - a.rank).slice(0, maxFound);
  return lines.map(({ line }) => line).join("\n") || "No chapter has all of these words. Try fewer words.";
}
