import { headOf, page, titleOf } from "@/app/console-page";
import { NoBatches } from "@/components/batches/batch-state";
import { NewBatch } from "@/components/batches/new-batch";
import type { OperationCard } from "@/components/batches/operation-dialog";
import { ModelCover } from "@/components/catalog/model-cover";
import { purposeOf } from "@/components/catalog/purpose";
import { byInterest, type CatalogRow, rowOf } from "@/components/catalog/row";
import { EmptyState } from "@/components/ui/page/empty-state";
import { type BatchOperation, batchOperations } from "@/lib/batches/draft";
import { modelsInLanguage } from "@/lib/server/catalog-words";
import { showsMedia } from "@/lib/server/content-policy";
import { getModels } from "@/lib/server/gateway/reads";
import { messageLanguage, words } from "@/lib/server/words";
import type { Words } from "@/messages/words";

const head = headOf({ title: "newBatch", parts: ["batches", "amounts"], description: "newBatchDescription" });

export const generateMetadata = titleOf(head);

export default page(head, async ({ t, session, word, requestRoute, need }) => {
  const [model, apiType] = [word("model"), word("api_type")];
  const [models, batches] = await Promise.all([
    need(getModels()),
    requestRoute("GET /batches", { query: { limit: 1, shape: "gatehouse" } }),
  ]);
  if (!batches.ok && batches.error.code === "route_not_found") return <NoBatches />;
  const [purposes, form] = [await words("purposes"), await words("inputForm")];
  const inLanguage = modelsInLanguage(models.data, await messageLanguage());
  const operations = models.data
    .map((entry) => rowOf(purposes, entry, showsMedia))
    .toSorted(byInterest)
    .flatMap((row) =>
      cardsOf(
        purposes,
        row,
        batchOperations(
          inLanguage.filter(({ id }) => id === row.id),
          form,
        ),
      ),
    );
  const wanted = operations.find((each) => each.model === model && (!apiType || each.apiType === apiType));
  const first = wanted ?? operations[0];
  return first ? (
    <NewBatch operations={operations} initial={first} accountId={session.accountId} />
  ) : (
    <EmptyState title={t("noOperationCanRunIn")} body={t("theCatalogHasNoOperation")} />
  );
});

/** The cards of a model, one for each of its operations. */
function cardsOf(
  purposes: Words<"purposes">,
  row: CatalogRow,
  operations: readonly BatchOperation[],
): OperationCard[] {
  const { id, modality, coverUrl: url } = row;
  return operations.map((operation) => ({
    ...operation,
    purpose: row.apiTypes.length === 1 ? row.purpose : purposeOf(purposes, "", [operation.apiType]),
    cover: <ModelCover {...{ id, modality, url }} apiTypes={[operation.apiType]} />,
  }));
}
