import { cache } from "react";
import { page } from "@/app/console-page";
import { BatchDetail } from "@/components/batches/batch-detail";
import { NoBatches } from "@/components/batches/batch-state";
import { ReturnToRow } from "@/components/ui/list/use-return-to-row";
import { batchTitle } from "@/lib/batches/labels";
import type { RouteProps } from "@/lib/page-props";
import { requestRoute } from "@/lib/server/gateway/request";
import { words } from "@/lib/server/words";

/** Cached, so that the title and the page share one request. */
const readBatch = cache((id: string) =>
  requestRoute("GET /batches/{id}", { params: { id }, query: { shape: "gatehouse" } }),
);

export async function generateMetadata({ params }: RouteProps<{ id: string }>) {
  const batch = await readBatch((await params).id);
  const t = await words("batches");
  return {
    title: batch.ok
      ? t("titleOfBatch", { kind: "table", title: batchTitle(t, batch.data) })
      : t("batchNotFound"),
  };
}

export default page<"id", "batches">(
  {
    title: "batch",
    parts: [
      "batches",
      "predictions",
      "states",
      "media",
      "compare",
      "library",
      "shares",
      "attestations",
      "keys",
      "destinations",
      "amounts",
    ],
    notOffered: <NoBatches />,
  },
  async ({ session: { accountId }, params: { id }, baseUrl, need, redirectTo }) => {
    const batch = await need(readBatch(id));
    if (batch.kind === "comparison") return redirectTo(`/compare/${id}`);
    return (
      <>
        <ReturnToRow list="/batches" />
        <BatchDetail key={id} initial={batch} accountId={accountId} baseUrl={baseUrl} />
      </>
    );
  },
);
