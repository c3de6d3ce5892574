import { MissingPage } from "@/components/shell/missing";
import { LinkButton } from "@/components/ui/button";

export default function DestinationNotFound() {
  return (
    <MissingPage
      title="Destination not found"
      heading="No destination with this id"
      body="It may have been deleted. Check the id. What was copied is still in its bucket."
      drawing="frames"
      action={<LinkButton href="/destinations">Open destinations</LinkButton>}
    />
  );
}
