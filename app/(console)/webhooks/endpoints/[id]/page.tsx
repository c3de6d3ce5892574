import { page } from "@/app/console-page";
import { LinkButton } from "@/components/ui/button";
import { ReturnToRow } from "@/components/ui/list/use-return-to-row";
import { NotOffered } from "@/components/ui/page/not-offered";
import { PageHeader } from "@/components/ui/page/page-header";
import { ReceiverCode } from "@/components/webhooks/secret/receiver-code";
import { VerificationHelp } from "@/components/webhooks/secret/verification-help";
import { EndpointClient } from "./client.tsx";

export const metadata = { title: "Endpoint" };

const recentCount = 10;

export default page<"id">(metadata, async ({ params: { id }, requestRoute, need }) => {
  const [endpoint, deliveries, resends] = await Promise.all([
    requestRoute("GET /webhooks/endpoints/{id}", { params: { id } }),
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
