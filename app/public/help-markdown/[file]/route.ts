import { readChapters, translatedChapter } from "@/lib/server/help";
import { requestLanguage } from "@/lib/server/words";

/** A chapter as plain Markdown, for programs. */
export async function GET(_request: Request, { params }: { params: Promise<{ file: string }> }) {
  const slug = (await params).file.replace(/\.md$/, "");
  const chapter =
    (await translatedChapter(await requestLanguage(), slug)) ?? (await readChapters()).get(slug);
  if (!chapter) return new Response("There is no such chapter.\n", { status: 404 });
  return new Response(chapter.text, { headers: { "content-type": "text/markdown; charset=utf-8" } });
}
