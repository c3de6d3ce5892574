import type { ApiType, CatalogModel } from "#contract/catalog.ts";
import { Link } from "@/components/ui/page/link";

/** Some models have several operations, each with its own playground. */
export function OperationLinks({ model, chosen }: { model: CatalogModel; chosen: ApiType }) {
  if (model.operations.length < 2) return null;
  return (
    <nav
      aria-label="Operations"
      className="flex gap-0.5 rounded-control border border-strong bg-sunken p-0.5"
    >
      {model.operations.map(({ api_type: apiType }) => (
        <Link
          key={apiType}
          href={`/playground/${model.id}/${apiType}`}
          aria-current={apiType === chosen ? "page" : undefined}
          className="inline-flex min-h-6.5 items-center rounded-[6px] px-2.5 text-table font-medium text-muted aria-[current]:bg-panel aria-[current]:text-ink"
        >
          {apiType}
        </Link>
      ))}
    </nav>
  );
}
