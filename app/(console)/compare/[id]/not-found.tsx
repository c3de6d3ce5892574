import { MissingPage } from "@/components/shell/missing";
import { LinkButton } from "@/components/ui/button";

export default function ComparisonNotFound() {
  return (
    <MissingPage
      title="Comparison not found"
      heading="No comparison with this id"
      body="Check the id, and that you are signed in to the account that started it."
      action={<LinkButton href="/compare">Compare models</LinkButton>}
    />
  );
}
