import { MissingPage } from "@/components/shell/missing";
import { LinkButton } from "@/components/ui/button";

export default function PredictionNotFound() {
  return (
    <MissingPage
      title="Prediction not found"
      heading="No prediction with this id"
      body="Check the id, and that you are signed in to the account that created it."
      action={<LinkButton href="/predictions">Open predictions</LinkButton>}
    />
  );
}
