import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { createLoader, parseAsString } from "nuqs/server";
import { CompareModels } from "@/components/compare/compare-models";
import { LinkButton } from "@/components/ui/button";
import { LoadFailure } from "@/components/ui/load-failure";
import { PageHeader } from "@/components/ui/page-header";
import { comparableModels } from "@/lib/batches/compare";
import type { RouteProps } from "@/lib/page-props";
import { getBatch } from "@/lib/server/gateway/batches";
import { listModels } from "@/lib/server/gateway/catalog";
import { requireSession } from "@/lib/server/session";

type Props = RouteProps<{ namespace: string; name: string; apiType: string }>;

export async function generateMetadata({ params }: Pick<Props, "params">): Promise<Metadata> {
  const { namespace, name } = await params;
  return { title: `Compare ${namespace}/${name}` };
}

/** `batch`: a comparison that was run. */
const loadSearch = createLoader({ batch: parseAsString });

export default async function CompareModelsPage({ params, searchParams }: Props) {
  const { namespace, name, apiType } = await params;
  const id = `${namespace}/${name}`;
  const [session, { batch: batchId }, models] = await Promise.all([
    requireSession(),
    loadSearch(searchParams),
    listModels(),
  ]);
  if (!models.ok) return <LoadFailure error={models.error} />;
  const operation = models.data.data
    .find((model) => model.id === id)
    ?.operations.find((each) => each.api_type === apiType);
  if (!operation) notFound();
  const batch = batchId ? await getBatch(batchId) : null;
  return (
    <>
      <PageHeader
        title="Compare models"
        description={`Your input of ${id} over up to four models for ${apiType}, side by side.`}
        actions={<LinkButton href={`/playground/${id}/${apiType}`}>Edit the input</LinkButton>}
      />
      <CompareModels
        accountId={session.accountId}
        model={id}
        apiType={operation.api_type}
        example={operation.example}
        comparable={comparableModels(models.data.data, operation.api_type, id)}
        initial={batch?.ok ? batch.data : null}
      />
    </>
  );
}
