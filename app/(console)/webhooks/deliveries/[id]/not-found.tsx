import { MissingPage } from "@/components/shell/missing";
import { LinkButton } from "@/components/ui/button";

export default function DeliveryNotFound() {
  return (
    <MissingPage
      title="Delivery not found"
      heading="There is no such delivery"
      body="Its retention time is over, or the address is mistyped."
      action={<LinkButton href="/webhooks/deliveries">Open the delivery log</LinkButton>}
    />
  );
}
