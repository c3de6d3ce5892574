import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { NotOffered } from "@/components/ui/not-offered";
import { PageHeader } from "@/components/ui/page-header";
import type { GatewayFailure } from "@/lib/gateway/result";
import { LoadFailure } from "./load-failure.tsx";

/** An endpoint's page when the gateway does not give the endpoint. */
export function EndpointMissing({ id, error }: { id: string; error: GatewayFailure }) {
  const deliveries = (
    <LinkButton href={`/webhooks/deliveries?endpoint_id=${encodeURIComponent(id)}`}>
      See its deliveries
    </LinkButton>
  );
  return (
    <>
      <PageHeader title="Webhook endpoint" />
      {error.code === "route_not_found" ? (
        <NotOffered what="endpoint pages">
          It registers endpoints and lists their deliveries, but does not tell about one. {deliveries}
        </NotOffered>
      ) : error.code === "endpoint_not_found" ? (
        <EmptyState
          drawing="signal"
          title="There is no such endpoint"
          body="It was deleted, or the address is mistyped. Its past deliveries stay in the log."
          action={deliveries}
        />
      ) : (
        <LoadFailure error={error} />
      )}
    </>
  );
}
