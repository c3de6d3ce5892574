import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { GuideList } from "@/components/guides/guide-list";
import { GuidePart } from "@/components/guides/guide-part";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { guides } from "@/lib/guides/guides";
import { guideTitles } from "@/lib/guides/titles";
import { env } from "@/lib/server/env";
import { getAccount } from "@/lib/server/gateway/account";
import { requireSession } from "@/lib/server/session";

interface GuidePageProps {
  params: Promise<{ slug: string }>;
}

export async function generateMetadata({ params }: GuidePageProps): Promise<Metadata> {
  const { slug } = await params;
  return { title: guideTitles.find((guide) => guide.slug === slug)?.title ?? "Guides" };
}

export default async function GuidePage({ params }: GuidePageProps) {
  await requireSession();
  const { slug } = await params;
  const known = guideTitles.find((guide) => guide.slug === slug);
  if (!known) notFound();
  const account = await getAccount();
  const hasExtensions = !account.ok || account.data.extensions;
  const baseUrl = `${env.mediaOrigin}/v1`;
  return (
    <>
      <PageHeader title={known.title} description={known.summary} />
      <div className="flex gap-10 max-desktop:flex-col">
        <div className="min-w-0 flex-1">
          {guides[known.slug].sections.map(({ title, parts, missing }) => (
            <Section key={title} title={title}>
              <div className="space-y-3">
                {(missing && !hasExtensions ? [{ text: missing }] : parts).map((part) => (
                  <GuidePart key={JSON.stringify(part)} part={part} title={title} baseUrl={baseUrl} />
                ))}
              </div>
            </Section>
          ))}
        </div>
        <GuideList current={known.slug} />
      </div>
    </>
  );
}
