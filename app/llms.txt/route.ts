import { env } from "@/lib/server/env";
import { readChapters } from "@/lib/server/help";

export const dynamic = "force-dynamic";

/** The list of chapters for language models (llmstxt.org): the start page with full addresses. */
export async function GET() {
  const text = (await readChapters()).get("README")?.text ?? "";
  const links = text
    .replaceAll(/^\|[-| ]+\|\n|^\| Chapter .*\n/gm, "")
    .replaceAll(/^\| (.*) \| (.*) \|$/gm, "- $1: $2")
    .replaceAll(/\]\(([\w-]+\.md)/g, `](${env.consoleUrl}/public/help-markdown/$1`);
  return new Response(links, { headers: { "content-type": "text/plain; charset=utf-8" } });
}
