import type { Metadata } from "next";
import { LazyLink } from "@/components/ui/lazy-link";
import { PageHeader } from "@/components/ui/page-header";
import { guideHref, guideTitles } from "@/lib/guides/titles";
import { requireSession } from "@/lib/server/session";

export const metadata: Metadata = { title: "Guides" };

export default async function GuidesPage() {
  await requireSession();
  return (
    <>
      <PageHeader
        title="Guides"
        description="How to use this gateway from your own programs. Every snippet runs as it stands."
      />
      <ol className="grid gap-3 tablet:grid-cols-2 wide:grid-cols-3">
        {guideTitles.map(({ slug, title, summary }) => (
          <li key={slug} className="relative rounded-panel border bg-panel p-4 hover:bg-sunken">
            <h2 className="text-title font-semibold">
              <LazyLink href={guideHref(slug)} className="after:absolute after:inset-0 after:rounded-panel">
                {title}
              </LazyLink>
            </h2>
            <p className="mt-0.5 text-muted">{summary}</p>
          </li>
        ))}
      </ol>
    </>
  );
}
