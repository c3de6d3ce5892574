import { MissingPage } from "@/components/shell/missing";
import { LinkButton } from "@/components/ui/button";

export default function ProviderNotFound() {
  return (
    <MissingPage
      title="Provider not found"
      heading="No provider with this id"
      body="It may have been removed. A removal can be undone under Changes."
      drawing="signal"
      action={<LinkButton href="/operator/providers">All providers</LinkButton>}
    />
  );
}
