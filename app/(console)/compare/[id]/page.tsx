import { cache } from "react";
import { batchLimits } from "#contract/batch-constants.ts";
import { page } from "@/app/console-page";
import { NoBatches } from "@/components/batches/batch-state";
import { ComparisonDetail } from "@/components/compare/comparison-detail";
import { ReturnToRow } from "@/components/ui/list/use-return-to-row";
import { batchTitle } from "@/lib/batches/labels";
import type { RouteProps } from "@/lib/page-props";
import { requestRoute } from "@/lib/server/gateway/request";
import { words } from "@/lib/server/words";

/** Cached, so that the title and the page share one request. */
const readComparison = cache((id: string) =>
  requestRoute("GET /batches/{id}", { params: { id }, query: { shape: "gatehouse" } }),
);

export async function generateMetadata({ params }: RouteProps<{ id: string }>) {
  const batch = await readComparison((await params).id);
  const t = await words("compare");
  return {
    title: batch.ok
      ? t("comparisonNamed", { name: batchTitle(await words("batches"), batch.data) })
      : t("comparisonNotFound"),
  };
}

/** One comparison. For the gateway, a comparison is a batch. */
export default page<"id", "compare">(
  {
    title: "comparison",
    parts: [
      "compare",
      "batches",
      "predictions",
      "media",
      "library",
      "shares",
      "states",
      "keys",
      "attestations",
      "destinations",
      "amounts",
    ],
    notOffered: <NoBatches />,
  },
  async ({ session: { accountId }, params: { id }, baseUrl, requestRoute, need, redirectTo }) => {
    const [batch, rows] = await Promise.all([
      need(readComparison(id)),
      requestRoute("GET /batches/{id}/rows", { params: { id }, query: { limit: batchLimits.maxCompared } }),
    ]);
    if (batch.kind !== "comparison") return redirectTo(`/batches/${id}`);
    return (
      <>
        <ReturnToRow list="/compare/earlier" />
        <ComparisonDetail
          key={id}
          initial={batch}
          initialRows={rows.ok ? rows.data : null}
          accountId={accountId}
          baseUrl={baseUrl}
        />
      </>
    );
  },
);
