import { EmptyState } from "@/components/ui/page/empty-state";
import { PageHeader } from "@/components/ui/page/page-header";

/** Every link that does not work leads to this page, so that the page does not reveal why. */
export default function SharedNotFound() {
  return (
    <>
      <PageHeader title="This link does not work" />
      <EmptyState
        drawing="frames"
        title="This link no longer works"
        body="The link has expired or was revoked, its file was removed, or part of the address is missing. Ask the sender for a new one."
      />
    </>
  );
}
