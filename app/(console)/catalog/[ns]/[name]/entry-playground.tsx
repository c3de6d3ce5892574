import type { CatalogModel, CatalogOperation } from "#contract/catalog.ts";
import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";

/** The way from the entry to the playground, which wants the whole width. */
export function EntryPlayground({ model, operation }: { model: CatalogModel; operation: CatalogOperation }) {
  return (
    <EmptyState
      drawing="frames"
      title={`Run ${operation.api_type}`}
      body="The playground has the form, the same request as JSON and as code, and the result beside it."
      action={
        <LinkButton variant="primary" href={`/playground/${model.id}/${operation.api_type}`}>
          Open in the playground
        </LinkButton>
      }
    />
  );
}
