import { page } from "@/app/console-page";
import { NoBatches } from "@/components/batches/batch-state";
import { NewBatch } from "@/components/batches/new-batch";
import { EmptyState } from "@/components/ui/page/empty-state";
import { batchOperations } from "@/lib/batches/draft";
import { getModels } from "@/lib/server/gateway/reads";

export const metadata = { title: "New batch" };

export default page(
  {
    ...metadata,
    description: "Rows are checked first, and run within your usual limits.",
  },
  async ({ session, word, requestRoute, need }) => {
    const [model, apiType] = [word("model"), word("api_type")];
    const [models, batches] = await Promise.all([
      need(getModels()),
      requestRoute("GET /batches", { query: { limit: 1, shape: "gatehouse" } }),
    ]);
    if (!batches.ok && batches.error.code === "route_not_found") return <NoBatches />;
    const operations = batchOperations(models.data);
    const wanted = operations.find((each) => each.model === model && (!apiType || each.apiType === apiType));
    const first = wanted ?? operations[0];
    return first ? (
      <NewBatch operations={operations} initial={first} accountId={session.accountId} />
    ) : (
      <EmptyState
        title="No operation can run in a batch"
        body="The catalog has no operation that can run in a batch."
      />
    );
  },
);
