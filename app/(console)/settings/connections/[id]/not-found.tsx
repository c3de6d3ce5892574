import { MissingPage } from "@/components/shell/missing";
import { LinkButton } from "@/components/ui/button";

export default function ConnectionNotFound() {
  return (
    <MissingPage
      title="Connection not found"
      heading="No connection at this address"
      body="It may belong to somebody else, or to another account of yours."
      action={<LinkButton href="/settings/connections">All connections</LinkButton>}
    />
  );
}
