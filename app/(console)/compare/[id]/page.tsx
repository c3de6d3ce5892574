import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { batchLimits } from "#contract/batch-constants.ts";
import { BatchFailure } from "@/components/batches/batch-state";
import { ComparisonDetail } from "@/components/compare/comparison-detail";
import { ReturnToRow } from "@/components/ui/list/use-return-to-row";
import { PageHeader } from "@/components/ui/page/page-header";
import { batchTitle } from "@/lib/batches/labels";
import type { RouteProps } from "@/lib/page-props";
import { inAccount } from "@/lib/paths";
import { env } from "@/lib/server/env";
import { requestRoute } from "@/lib/server/gateway/request";
import { addressedAccount, requireSession } from "@/lib/server/session";

type Props = Pick<RouteProps<{ id: string }>, "params">;

/** Cached, so that the title and the page share one request. */
const readComparison = cache((id: string) =>
  requestRoute("GET /batches/{id}", { params: { id }, query: { shape: "gatehouse" } }),
);

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const batch = await readComparison((await params).id);
  return { title: batch.ok ? `Comparison ${batchTitle(batch.data)}` : "Comparison not found" };
}

/** One comparison. For the gateway, a comparison is a batch. */
export default async function ComparisonPage({ params }: Props) {
  const { accountId } = await requireSession();
  const { id } = await params;
  const [batch, rows] = await Promise.all([
    readComparison(id),
    requestRoute("GET /batches/{id}/rows", { params: { id }, query: { limit: batchLimits.maxCompared } }),
  ]);
  if (batch.ok) {
    if (batch.data.kind !== "comparison") redirect(inAccount(await addressedAccount(), `/batches/${id}`));
    return (
      <>
        <ReturnToRow list="/compare/earlier" />
        <ComparisonDetail
          key={id}
          initial={batch.data}
          initialRows={rows.ok ? rows.data : null}
          accountId={accountId}
          baseUrl={`${env.mediaOrigin}/v1`}
        />
      </>
    );
  }
  if (batch.error.code === "batch_not_found") notFound();
  return (
    <>
      <PageHeader title="Comparison" />
      <BatchFailure error={batch.error} />
    </>
  );
}
