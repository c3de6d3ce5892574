import { MissingPage } from "@/components/shell/missing";
import { EndpointDeliveriesLink } from "@/components/webhooks/endpoint-deliveries-link";

export default function EndpointNotFound() {
  return (
    <MissingPage
      title="Endpoint not found"
      heading="There is no such endpoint"
      body="It was deleted, or the address is mistyped. Its past deliveries stay in the log."
      drawing="signal"
      action={<EndpointDeliveriesLink />}
    />
  );
}
