import { notFound } from "next/navigation";
import { searchLimits } from "#contract/search-words.ts";
import { ChapterText } from "@/components/help/chapter-text";
import { Mark } from "@/components/shell/shell-icon";
import { Button } from "@/components/ui/button";
import { InputField } from "@/components/ui/form/input-fields";
import type { RouteProps } from "@/lib/page-props";
import { foundText, readChapters, translatedChapter } from "@/lib/server/help";
import { requestLanguage, words } from "@/lib/server/words";

export async function generateMetadata() {
  return { title: (await words("publicPages"))("documentation") };
}

/** The documentation: the list of chapters, one of them, or what a search found. Public, as it is the same everywhere. */
export default async function HelpPage({ params, searchParams }: RouteProps<{ chapter?: string[] }>) {
  const t = await words("publicPages");
  const chapters = await readChapters();
  const search = [(await searchParams).q].flat()[0]?.trim() ?? "";
  const { chapter: [slug = "README", ...more] = [] } = await params;
  const chapter = chapters.get(slug);
  if (!chapter || more.length > 0) notFound();
  const found = search && `# ${t("search")}\n\n${foundText(t, chapters.values(), search)}`;
  const language = await requestLanguage();
  const translated = await translatedChapter(language, slug);
  const isForeign = language !== "en" && (search !== "" || !translated);
  return (
    <div className="mx-auto max-w-[960px] px-4 py-6">
      <header className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-3">
        <a href="/public/help" className="flex flex-1 items-center gap-2.5 text-title font-semibold">
          <Mark className="size-7" />
          {t("documentation")}
        </a>
        <form action="/public/help" aria-label={t("search")} className="flex gap-2">
          <InputField
            hideLabel
            label={t("words")}
            type="search"
            name="q"
            maxLength={searchLimits.length}
            defaultValue={search}
          />
          <Button type="submit">{t("search")}</Button>
        </form>
        <a href="/" className="text-table font-medium text-accent hover:underline">
          {t("console")}
        </a>
      </header>
      <main>
        {isForeign && <p className="mb-4 text-muted">{t("inEnglishOnly")}</p>}
        <div lang={isForeign ? "en" : undefined}>
          <ChapterText text={found || (translated ?? chapter).text} />
        </div>
      </main>
      <footer className="mt-8 text-table">
        <a href={`/public/help-markdown/${slug}.md`} className="text-accent underline">
          {t("asMarkdown")}
        </a>
      </footer>
    </div>
  );
}
