import "server-only";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { hasWords, searchLimits, searchWords } from "#contract/search-words.ts";
import { anchorOf } from "@/lib/heading-anchor";
import type { Language } from "@/messages/languages";
import type { Words } from "@/messages/words";

/** A chapter of the documentation: a file of `docs/`, whose first heading is its title. */
interface Chapter {
  slug: string;
  title: string;
  text: string;
}

const folder = path.join(process.cwd(), "docs");
const maxFound = 20;
const excerptCharacters = 240;
const readings = new Map<string, Promise<Map<string, Chapter>>>();

/** All chapters by their file's name without its ending, read once; `README` is the list of them. */
export function readChapters(): Promise<Map<string, Chapter>> {
  return chaptersIn(folder);
}

/** A chapter, or the list of them, in another language: a file of that language's folder. Undefined if there is none. */
export async function translatedChapter(language: Language, slug: string): Promise<Chapter | undefined> {
  if (language === "en") return undefined;
  return (await chaptersIn(path.join(folder, language))).get(slug);
}

function chaptersIn(place: string): Promise<Map<string, Chapter>> {
  const reading =
    readings.get(place) ??
    readdir(place).then(async (names) => {
      const slugs = names.flatMap((name) => /^([\w-]+)\.md$/.exec(name)?.[1] ?? []);
      const texts = await Promise.all(slugs.map((slug) => readFile(path.join(place, `${slug}.md`), "utf8")));
      const titleOf = (text: string) => /^# (.*)$/m.exec(text)?.[1] ?? "";
      return new Map(
        slugs.map((slug, at) => [slug, { slug, title: titleOf(texts[at] ?? ""), text: texts[at] ?? "" }]),
      );
    });
  readings.set(place, reading);
  return reading;
}

/** The sections that have all words of a search, those with one in their title first, as Markdown. */
export function foundText(t: Words<"publicPages">, chapters: Iterable<Chapter>, search: string): string {
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
  return lines.map(({ line }) => line).join("\n") || t("noChapterFound");
}
