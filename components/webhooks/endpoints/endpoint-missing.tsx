import { LinkButton } from "@/components/ui/button";
import { LoadFailure } from "@/components/ui/page/load-failure";
import { NotOffered } from "@/components/ui/page/not-offered";
import { PageHeader } from "@/components/ui/page/page-header";
import type { GatewayFailure } from "@/lib/gateway/result";

/** An endpoint's page when the gateway does not give the endpoint. */
export function EndpointMissing({ id, error }: { id: string; error: GatewayFailure }) {
  const deliveries = (
    <LinkButton href={`/webhooks/deliveries?endpoint_id=${encodeURIComponent(id)}`}>
      View deliveries
    </LinkButton>
  );
  return (
    <>
      <PageHeader title="Webhook endpoint" />
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
