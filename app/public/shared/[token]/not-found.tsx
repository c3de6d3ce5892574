import { EmptyState } from "@/components/ui/page/empty-state";
import { PageHeader } from "@/components/ui/page/page-header";

/** The same page for every link that does not work, so that it does not reveal why. */
export default function SharedNotFound() {
  return (
    <>
      <PageHeader title="This link does not work" />
      <EmptyState
        drawing="frames"
        title="This link no longer works"
        body="The link has ended, was revoked, its file was removed, or part of the address is missing. Ask the sender for a new one."
      />
    </>
  );
}
