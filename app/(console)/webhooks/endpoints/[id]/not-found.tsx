import { MissingPage } from "@/components/shell/missing";
import { EndpointDeliveriesLink } from "@/components/webhooks/endpoints/endpoint-deliveries-link";

export default function EndpointNotFound() {
  return (
    <MissingPage
      title="Endpoint not found"
      heading="No endpoint with this id"
      body="The endpoint may have been deleted. Check the id. Past deliveries stay in the log."
      drawing="signal"
      action={<EndpointDeliveriesLink />}
    />
  );
}
