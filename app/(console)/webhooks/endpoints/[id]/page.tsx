import { cache } from "react";
import { page } from "@/app/console-page";
import { LinkButton } from "@/components/ui/button";
import { ReturnToRow } from "@/components/ui/list/use-return-to-row";
import { NotOffered } from "@/components/ui/page/not-offered";
import { PageHeader } from "@/components/ui/page/page-header";
import { ReceiverCode } from "@/components/webhooks/secret/receiver-code";
import { VerificationHelp } from "@/components/webhooks/secret/verification-help";
import type { RouteProps } from "@/lib/page-props";
import { requestRoute } from "@/lib/server/gateway/request";
import { endpointAddress } from "@/lib/webhooks/addresses";
import { EndpointClient } from "./client.tsx";

/** Cached, so that the title and the page share one request. */
const readEndpoint = cache((id: string) => requestRoute("GET /webhooks/endpoints/{id}", { params: { id } }));

export async function generateMetadata({ params }: RouteProps<{ id: string }>) {
  const endpoint = await readEndpoint((await params).id);
  return { title: endpoint.ok ? `Endpoint ${endpointAddress(endpoint.data.url)}` : "Endpoint" };
}

const recentCount = 10;

export default page<"id">({ title: "endpoint" }, async ({ params: { id }, requestRoute, need }) => {
  const [endpoint, deliveries, resends] = await Promise.all([
    readEndpoint(id),
    requestRoute("GET /webhooks/deliveries", { query: { endpoint_id: id, limit: recentCount } }),
    requestRoute("GET /webhooks/endpoints/{id}/resends", { params: { id }, query: { limit: 1 } }),
  ]);
  if (!endpoint.ok && endpoint.error.code === "route_not_found") return <NoEndpointPages id={id} />;
  const [newest] = resends.ok ? resends.data.data : [];
  const running = newest?.status === "running" ? newest : null;
  return (
    <EndpointClient key={id} initial={await need(endpoint)} running={running} deliveries={deliveries}>
      <ReturnToRow list="/webhooks/endpoints" />
      <VerificationHelp code={<ReceiverCode />} />
    </EndpointClient>
  );
});

function NoEndpointPages({ id }: { id: string }) {
  const deliveries = `/webhooks/deliveries?endpoint_id=${encodeURIComponent(id)}`;
  return (
    <>
      <PageHeader title="Endpoint" />
      <NotOffered what="endpoint pages" action={<LinkButton href={deliveries}>View deliveries</LinkButton>}>
        You can still add endpoints and view their deliveries.
      </NotOffered>
    </>
  );
}
