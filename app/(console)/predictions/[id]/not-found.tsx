import { MissingPage } from "@/components/shell/missing";
import { LinkButton } from "@/components/ui/button";

export default function PredictionNotFound() {
  return (
    <MissingPage
      title="Prediction not found"
      heading="There is no such prediction"
      body="Check the id, or that you are signed in to the account that made it."
      action={<LinkButton href="/predictions">Open predictions</LinkButton>}
    />
  );
}
