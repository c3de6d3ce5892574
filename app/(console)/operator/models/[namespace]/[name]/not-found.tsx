import { MissingPage } from "@/components/shell/missing";
import { LinkButton } from "@/components/ui/button";

export default function OperatorModelNotFound() {
  return (
    <MissingPage
      title="Model not found"
      heading="No model with this id"
      body="It may have been removed. A removal can be undone under Changes."
      drawing="frames"
      action={<LinkButton href="/operator/models">All models</LinkButton>}
    />
  );
}
