import { MissingPage } from "@/components/shell/missing";
import { LinkButton } from "@/components/ui/button";

export default function DestinationNotFound() {
  return (
    <MissingPage
      title="Destination not found"
      heading="No destination with this id"
      body="The destination may have been deleted. Check the id. Files that were copied are still in its bucket."
      drawing="frames"
      action={<LinkButton href="/destinations">Open destinations</LinkButton>}
    />
  );
}
