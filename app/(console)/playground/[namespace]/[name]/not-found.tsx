import { MissingPage } from "@/components/shell/missing";
import { LinkButton } from "@/components/ui/button";

export default function ModelNotFound() {
  return (
    <MissingPage
      title="Model not found"
      heading="This model is not in the catalog"
      body="Check the name and operation, or search the catalog. The model may have been removed."
      drawing="frames"
      action={<LinkButton href="/catalog">Open the catalog</LinkButton>}
    />
  );
}
