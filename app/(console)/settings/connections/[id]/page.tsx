import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ConnectionDetail } from "@/components/connections/connection-detail";
import { ReturnToRow } from "@/components/ui/list/use-return-to-row";
import { LoadFailure } from "@/components/ui/page/error-panel";
import type { RouteProps } from "@/lib/page-props";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";

export const metadata: Metadata = { title: "Connection" };

const lastCalls = 20;

export default async function ConnectionPage({ params }: RouteProps<{ id: string }>) {
  await requireSession();
  const { id } = await params;
  const [connection, calls, usage] = await Promise.all([
    requestRoute("GET /connections/{id}", { params: { id } }),
    requestRoute("GET /requests", { query: { key_id: id, limit: lastCalls } }),
    requestRoute("GET /usage", { query: { key_id: id } }),
  ]);
  if (!connection.ok && connection.error.code === "connection_not_found") notFound();
  if (!connection.ok) return <LoadFailure error={connection.error} />;
  return (
    <>
      <ReturnToRow list="/settings/connections" />
      <ConnectionDetail connection={connection.data} calls={calls} usage={usage} />
    </>
  );
}
