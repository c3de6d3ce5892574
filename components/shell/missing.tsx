import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";

/** The page for an address or an id that leads nowhere. */
export function Missing() {
  return (
    <>
      <PageHeader title="Not found" description="Nothing here has this address." />
      <EmptyState
        drawing="gate"
        title="Check the address"
        body="It may be mistyped, belong to another account, or name something that was deleted."
        action={<LinkButton href="/">Go to Home</LinkButton>}
      />
    </>
  );
}
