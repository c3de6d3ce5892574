import { MissingPage } from "@/components/shell/missing";
import { LinkButton } from "@/components/ui/button";

export default function BatchNotFound() {
  return (
    <MissingPage
      title="Batch not found"
      heading="No batch with this id"
      body="Check the id, and that you are signed in to the account that started it."
      action={<LinkButton href="/batches">Open batches</LinkButton>}
    />
  );
}
