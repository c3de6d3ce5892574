import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { LinkButton } from "@/components/ui/button";
import { ReturnToRow } from "@/components/ui/list/use-return-to-row";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { NotOffered } from "@/components/ui/page/not-offered";
import { PageHeader } from "@/components/ui/page/page-header";
import { ReceiverCode } from "@/components/webhooks/secret/receiver-code";
import { VerificationHelp } from "@/components/webhooks/secret/verification-help";
import type { GatewayFailure } from "@/lib/gateway/result";
import type { RouteProps } from "@/lib/page-props";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";
import { EndpointClient } from "./client";

export const metadata: Metadata = { title: "Endpoint" };

const recentCount = 10;

export default async function EndpointPage({ params }: RouteProps<{ id: string }>) {
  await requireSession();
  const { id } = await params;
  const [endpoint, deliveries, resends] = await Promise.all([
    requestRoute("GET /webhooks/endpoints/{id}", { params: { id } }),
    requestRoute("GET /webhooks/deliveries", { query: { endpoint_id: id, limit: recentCount } }),
    requestRoute("GET /webhooks/endpoints/{id}/resends", { params: { id }, query: { limit: 1 } }),
  ]);
  if (!endpoint.ok && endpoint.error.code === "endpoint_not_found") notFound();
  if (!endpoint.ok) return <EndpointMissing id={id} error={endpoint.error} />;
  const [newest] = resends.ok ? resends.data.data : [];
  const running = newest?.status === "running" ? newest : null;
  return (
    <EndpointClient key={id} initial={endpoint.data} running={running} deliveries={deliveries}>
      <ReturnToRow list="/webhooks/endpoints" />
      <VerificationHelp code={<ReceiverCode />} />
    </EndpointClient>
  );
}

/** Shown when the gateway does not return the endpoint. */
function EndpointMissing({ id, error }: { id: string; error: GatewayFailure }) {
  const deliveries = (
    <LinkButton href={`/webhooks/deliveries?endpoint_id=${encodeURIComponent(id)}`}>
      View deliveries
    </LinkButton>
  );
  return (
    <>
      <PageHeader title="Endpoint" />
      {error.code === "route_not_found" ? (
        <NotOffered what="endpoint pages" action={deliveries}>
          You can still add endpoints and view their deliveries.
        </NotOffered>
      ) : (
        <LoadFailure error={error} />
      )}
    </>
  );
}
