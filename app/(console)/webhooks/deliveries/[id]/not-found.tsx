import { MissingPage } from "@/components/shell/missing";
import { LinkButton } from "@/components/ui/button";

export default function DeliveryNotFound() {
  return (
    <MissingPage
      title="Delivery not found"
      heading="No delivery with this id"
      body="It may have been removed after its retention time. Check the id, or look for it in the delivery log."
      action={<LinkButton href="/webhooks/deliveries">Open the delivery log</LinkButton>}
    />
  );
}
