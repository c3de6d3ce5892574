import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";

export function MissingPrediction({ id }: { id: string }) {
  return (
    <>
      <PageHeader
        title="Prediction not found"
        breadcrumb={[{ label: "Predictions", href: "/predictions" }]}
      />
      <EmptyState
        title={`There is no prediction ${id}`}
        body="Check the id, or that you are signed in to the account that made it."
        action={<LinkButton href="/predictions">Open predictions</LinkButton>}
      />
    </>
  );
}
