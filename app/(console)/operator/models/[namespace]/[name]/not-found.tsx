import { MissingPage } from "@/components/shell/missing";
import { LinkButton } from "@/components/ui/button";

export default function OperatorModelNotFound() {
  return (
    <MissingPage
      title="Model not found"
      heading="No model with this id"
      body="The model may have been removed. You can undo a removal under Changes."
      drawing="frames"
      action={<LinkButton href="/operator/models">All models</LinkButton>}
    />
  );
}
