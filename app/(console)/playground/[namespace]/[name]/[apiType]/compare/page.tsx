import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { createLoader, parseAsString } from "nuqs/server";
import { BatchFailure } from "@/components/batches/batch-failure";
import { CompareModels } from "@/components/compare/compare-models";
import { LinkButton } from "@/components/ui/button";
import { LoadFailure } from "@/components/ui/page/load-failure";
import { PageHeader } from "@/components/ui/page/page-header";
import { comparableModels, comparedInput, mostComparedModels } from "@/lib/batches/compare";
import type { RouteProps } from "@/lib/page-props";
import { env } from "@/lib/server/env";
import { getModels } from "@/lib/server/gateway/models";
import { requestRoute } from "@/lib/server/gateway/request";
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
  const [session, { batch: batchId }, models, batches] = await Promise.all([
    requireSession(),
    loadSearch(searchParams),
    getModels(),
    requestRoute("GET /batches", { query: { limit: 1 } }),
  ]);
  if (!models.ok) return <LoadFailure error={models.error} />;
  const operation = models.data.data
    .find((model) => model.id === id)
    ?.operations.find((each) => each.api_type === apiType);
  if (!operation) notFound();
  const [batch, rows] = batchId
    ? await Promise.all([
        requestRoute("GET /batches/{id}", { params: { id: batchId } }),
        requestRoute("GET /batches/{id}/rows", {
          params: { id: batchId },
          query: { limit: mostComparedModels },
        }),
      ])
    : [null, null];
  return (
    <>
      <PageHeader
        title="Compare models"
        description={`Your input of ${id} over up to four models for ${apiType}, side by side.`}
        actions={<LinkButton href={`/playground/${id}/${apiType}`}>Edit the input</LinkButton>}
      />
      {!batches.ok && batches.error.code === "route_not_found" ? (
        <BatchFailure error={batches.error} />
      ) : (
        <CompareModels
          accountId={session.accountId}
          model={id}
          apiType={operation.api_type}
          baseUrl={`${env.mediaOrigin}/v1`}
          example={operation.example}
          comparable={comparableModels(models.data.data, operation.api_type, id)}
          initial={batch?.ok ? batch.data : null}
          ran={rows?.ok ? comparedInput(rows.data.data) : null}
        />
      )}
    </>
  );
}
