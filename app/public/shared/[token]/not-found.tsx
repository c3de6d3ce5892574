import { EmptyState } from "@/components/ui/page/empty-state";
import { PageHeader } from "@/components/ui/page/page-header";
import { words } from "@/lib/server/words";

/** Every link that does not work leads to this page, so that the page does not reveal why. */
export default async function SharedNotFound() {
  const t = await words("publicPages");
  return (
    <>
      <PageHeader title={t("thisLinkDoesNotWork")} />
      <EmptyState drawing="frames" title={t("thisLinkNoLongerWorks")} body={t("theLinkHasExpiredOr")} />
    </>
  );
}
