import { Link } from "@/components/ui/page/link";
import { guideHref } from "@/lib/guides/guide-href";
import { type GuideSlug, guideTitles } from "@/lib/guides/titles";

/** All guides beside the one that is read. */
export function GuideList({ current }: { current: GuideSlug }) {
  return (
    <nav aria-label="Guides" className="max-desktop:border-t max-desktop:pt-4 desktop:w-56 desktop:shrink-0">
      <ol className="flex flex-col gap-0.5 desktop:sticky desktop:top-[68px]">
        {guideTitles.map(({ slug, title }) => (
          <li key={slug}>
            <Link
              href={guideHref(slug)}
              aria-current={slug === current ? "page" : undefined}
              className="control-height flex items-center rounded-control px-2.5 text-muted hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent"
            >
              {title}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
