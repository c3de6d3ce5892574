import type { CatalogModel, CatalogOperation } from "#contract/catalog.ts";
import { LazyPlayground } from "@/components/catalog/lazy-playground";
import { env } from "@/lib/server/env";
import { requireSession } from "@/lib/server/session";

interface EntryPlaygroundProps {
  model: CatalogModel;
  operation: CatalogOperation;
}

/** The playground as one side of the entry; the button above opens it on a page of its own, with the whole width. */
export async function EntryPlayground({ model, operation }: EntryPlaygroundProps) {
  const { accountId } = await requireSession();
  return (
    <LazyPlayground
      key={operation.id}
      model={model}
      operation={operation}
      accountId={accountId}
      baseUrl={`${env.mediaOrigin}/v1`}
    />
  );
}
