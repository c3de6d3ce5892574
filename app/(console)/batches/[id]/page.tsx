import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { BatchDetail } from "@/components/batches/batch-detail";
import { BatchFailure } from "@/components/batches/batch-state";
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
const readBatch = cache((id: string) =>
  requestRoute("GET /batches/{id}", { params: { id }, query: { shape: "gatehouse" } }),
);

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const batch = await readBatch((await params).id);
  return { title: batch.ok ? `Batch ${batchTitle(batch.data)}` : "Batch not found" };
}

export default async function BatchPage({ params }: Props) {
  const { accountId } = await requireSession();
  const { id } = await params;
  const batch = await readBatch(id);
  if (batch.ok && batch.data.kind === "comparison")
    redirect(inAccount(await addressedAccount(), `/compare/${id}`));
  if (batch.ok)
    return (
      <>
        <ReturnToRow list="/batches" />
        <BatchDetail key={id} initial={batch.data} accountId={accountId} baseUrl={`${env.mediaOrigin}/v1`} />
      </>
    );
  if (batch.error.code === "batch_not_found") notFound();
  return (
    <>
      <PageHeader title="Batch" />
      <BatchFailure error={batch.error} />
    </>
  );
}
