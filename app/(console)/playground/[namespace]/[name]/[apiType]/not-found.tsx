import { MissingPage } from "@/components/shell/missing";
import { LinkButton } from "@/components/ui/button";

export default function ModelNotFound() {
  return (
    <MissingPage
      title="Model not found"
      heading="The catalog has no such model"
      body="Check its name and operation, or look for it in the catalog: entries come and go with the registry's revisions."
      drawing="frames"
      action={<LinkButton href="/catalog">Open the catalog</LinkButton>}
    />
  );
}
