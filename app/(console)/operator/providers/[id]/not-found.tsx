import { MissingPage } from "@/components/shell/missing";
import { LinkButton } from "@/components/ui/button";

export default function ProviderNotFound() {
  return (
    <MissingPage
      title="Provider not found"
      heading="No provider with this id"
      body="The provider may have been removed. You can undo a removal under Changes."
      drawing="signal"
      action={<LinkButton href="/operator/providers">All providers</LinkButton>}
    />
  );
}
