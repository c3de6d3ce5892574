import { notFound } from "next/navigation";
import { useWords } from "#words";
import { headOf, page } from "@/app/console-page";
import { CodeBlock } from "@/components/ui/code-block";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { Link } from "@/components/ui/page/link";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { ReceiverCode } from "@/components/webhooks/secret/receiver-code";
import { type GuideSlug, guideTitles, type GuidePart as Part } from "@/lib/guides/guide";
import { guideHref } from "@/lib/guides/guide-href";
import { guides } from "@/lib/guides/guides";
import { tabsOf } from "@/lib/guides/snippets/languages";
import { guideSnippets, mcpUrl } from "@/lib/guides/snippets/snippets";
import type { RouteProps } from "@/lib/page-props";
import { getAccount } from "@/lib/server/gateway/reads";
import { guideText } from "@/lib/server/guide-words";
import { words } from "@/lib/server/words";

export async function generateMetadata({ params }: RouteProps<{ slug: string }>) {
  const { slug } = await params;
  const known = guideTitles.find((guide) => guide.slug === slug);
  return { title: known ? (await words("guides"))(known.title) : (await words("pages"))("guides") };
}

const head = headOf({ title: "guide", parts: ["guides"] });

export default page<"slug", "guides">(head, async ({ t, params: { slug }, baseUrl }) => {
  const known = guideTitles.find((guide) => guide.slug === slug);
  if (!known) notFound();
  const account = await getAccount();
  const say = await guideText();
  const hasExtensions = !account.ok || account.data.extensions;
  return (
    <>
      <PageHeader title={t(known.title)} description={t(`${known.title}About`)} />
      <div className="flex gap-10 max-desktop:flex-col">
        <div className="min-w-0 flex-1">
          {guides[known.slug].sections.map(({ title, parts, missing }) => (
            <Section key={title} title={say(title)}>
              <div className="space-y-3">
                {(missing && !hasExtensions ? [{ text: missing }] : parts).map((part) => (
                  <GuidePart key={JSON.stringify(part)} {...{ part, title, say, baseUrl }} />
                ))}
              </div>
            </Section>
          ))}
        </div>
        <GuideList current={known.slug} />
      </div>
    </>
  );
});

interface GuidePartProps {
  part: Part;
  /** Says a text in the reader's language. */
  say: (english: string) => string;
  /** Title of the guide's section, which names the table for screen readers. */
  title: string;
  baseUrl: string;
}

function GuidePart({ part, title, say, baseUrl }: GuidePartProps) {
  if ("text" in part)
    return (
      <p className="max-w-[80ch]">
        <GuideText text={say(part.text)} baseUrl={baseUrl} />
      </p>
    );
  if ("list" in part)
    return (
      <ul className="max-w-[80ch] list-disc space-y-1 pl-5">
        {part.list.map((text) => (
          <li key={text}>
            <GuideText text={say(text)} baseUrl={baseUrl} />
          </li>
        ))}
      </ul>
    );
  if ("head" in part)
    return (
      <Table label={say(title)}>
        <thead>
          <tr>
            {part.head.map((text) => (
              <Th key={text}>{say(text)}</Th>
            ))}
          </tr>
        </thead>
        <tbody>
          {part.rows.map((row) => (
            <Tr key={row[0]}>
              {row.map((text) => (
                <Td key={text} className="align-top">
                  <GuideText text={say(text)} baseUrl={baseUrl} />
                </Td>
              ))}
            </Tr>
          ))}
        </tbody>
      </Table>
    );
  if ("receivers" in part) return <ReceiverCode />;
  const snippet = guideSnippets[part.snippet];
  return <CodeBlock label={say(snippet.label)} tabs={tabsOf(snippet, baseUrl)} />;
}

/**
 * Renders a text of a guide: `code`, [links](/path), {base} for the base URL, {mcp} for the address of the
 * MCP tools.
 */
function GuideText({ text, baseUrl }: { text: string; baseUrl: string }) {
  let place = 0;
  return text
    .replaceAll("{base}", baseUrl)
    .replaceAll("{mcp}", mcpUrl(baseUrl))
    .split(/(`[^`]+`|\[[^\]]+\]\([^)]+\))/)
    .map((piece) => {
      // The position is the key, because the same words may occur twice.
      const key = place++;
      if (piece.startsWith("`"))
        return (
          <code key={key} className="wrap-anywhere">
            {piece.slice(1, -1)}
          </code>
        );
      const [, label, href] = /^\[(.+)\]\((.+)\)$/.exec(piece) ?? [];
      if (!label || !href) return piece;
      return (
        <Link key={key} href={href} className="text-accent underline underline-offset-2">
          {label}
        </Link>
      );
    });
}

/** Lists all guides beside the open one. */
function GuideList({ current }: { current: GuideSlug }) {
  const t = useWords("guides");
  const titles = useWords("pages");
  return (
    <nav
      aria-label={titles("guides")}
      className="max-desktop:border-t max-desktop:pt-4 desktop:w-56 desktop:shrink-0"
    >
      <ol className="flex flex-col gap-0.5 desktop:sticky desktop:top-[68px]">
        {guideTitles.map(({ slug, title }) => (
          <li key={slug}>
            <Link
              href={guideHref(slug)}
              aria-current={slug === current ? "page" : undefined}
              className="control-height flex items-center rounded-control px-2.5 text-muted hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent"
            >
              {t(title)}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
