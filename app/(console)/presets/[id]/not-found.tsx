import { MissingPage } from "@/components/shell/missing";
import { LinkButton } from "@/components/ui/button";

export default function PresetNotFound() {
  return (
    <MissingPage
      title="Preset not found"
      heading="No preset at this address"
      body="The preset may have been deleted, or belong to another of your accounts."
      action={<LinkButton href="/catalog">Open the catalog</LinkButton>}
    />
  );
}
