import { MissingPage } from "@/components/shell/missing";
import { LinkButton } from "@/components/ui/button";

export default function DeliveryNotFound() {
  return (
    <MissingPage
      title="Delivery not found"
      heading="No delivery with this id"
      body="The delivery may have been removed after its retention time. Check the id, or look for the delivery in the log."
      action={<LinkButton href="/webhooks/deliveries">Open the delivery log</LinkButton>}
    />
  );
}
