import { MissingPage } from "@/components/shell/missing";
import { LinkButton } from "@/components/ui/button";

export default function ConnectionNotFound() {
  return (
    <MissingPage
      title="Connection not found"
      heading="No connection at this address"
      body="The connection may belong to somebody else, or to another of your accounts."
      action={<LinkButton href="/settings/connections">All connections</LinkButton>}
    />
  );
}
