import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { RequestReport } from "@/components/audit/request-report";
import { ReturnToRow } from "@/components/ui/list/use-return-to-row";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import { shortenId } from "@/lib/format";
import type { RouteProps } from "@/lib/page-props";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";

type Props = RouteProps<{ id: string }>;

export async function generateMetadata({ params }: Pick<Props, "params">): Promise<Metadata> {
  return { title: `Request ${shortenId((await params).id)}` };
}

export default async function RequestPage({ params }: Props) {
  await requireSession();
  const { id } = await params;
  const request = await requestRoute("GET /requests/{id}", { params: { id } });
  if (request.ok)
    return (
      <>
        <ReturnToRow list="/requests" />
        <RequestReport request={request.data} />
      </>
    );
  if (request.error.code === "request_not_found") notFound();
  return (
    <>
      <PageHeader title="Request" />
      <LoadFailure error={request.error} />
    </>
  );
}
