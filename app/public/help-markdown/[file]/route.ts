import { readChapters } from "@/lib/server/help";

/** A chapter as plain Markdown, for programs. */
export async function GET(_request: Request, { params }: { params: Promise<{ file: string }> }) {
  const chapter = (await readChapters()).get((await params).file.replace(/\.md$/, ""));
  if (!chapter) return new Response("There is no such chapter.\n", { status: 404 });
  return new Response(chapter.text, { headers: { "content-type": "text/markdown; charset=utf-8" } });
}
