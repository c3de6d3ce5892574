"use client";

import { Search } from "lucide-react";
import { useQueryStates } from "nuqs";
import type { ReactNode } from "react";
import { CatalogGallery } from "@/components/catalog/catalog-gallery";
import { CatalogTable } from "@/components/catalog/catalog-table";
import { facetLabels } from "@/components/catalog/facet-labels";
import { FacetMenu } from "@/components/catalog/facet-menu";
import { facetNames, facetOptions, filterRows } from "@/components/catalog/facets";
import type { CatalogCard } from "@/components/catalog/row";
import { useComparison } from "@/components/catalog/use-comparison";
import { usePreferences } from "@/components/shell/preferences";
import { Button, LinkButton } from "@/components/ui/button";
import { Input } from "@/components/ui/form/input";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { FilterBar } from "@/components/ui/list/filter-bar";
import { EmptyState } from "@/components/ui/page/empty-state";
import { PageHeader } from "@/components/ui/page/page-header";
import { catalogSearchParams } from "../search-params.ts";

const views = [
  { value: "gallery", label: "Gallery" },
  { value: "table", label: "Table" },
] as const;

interface CatalogClientProps {
  rows: CatalogCard[];
  description: ReactNode;
}

/** Search and facets over all entries: all entries are loaded, so filtering makes no requests. */
export function CatalogClient({ rows, description }: CatalogClientProps) {
  const [filters, setFilters] = useQueryStates(catalogSearchParams, { history: "replace" });
  const shown = filterRows(rows, filters.q, filters);
  const active = facetNames.filter((facet) => filters[facet].length > 0).length + (filters.q ? 1 : 0);
  const clear = () => setFilters(null);
  const ticks = useComparison();
  const { preferences, change } = usePreferences();
  const Models = preferences.catalog === "table" ? CatalogTable : CatalogGallery;

  return (
    <>
      <PageHeader
        title="Catalog"
        description={description}
        actions={
          <RadioGroup
            hideLegend
            legend="View"
            appearance="segments"
            value={preferences.catalog}
            onChange={(catalog) => change({ catalog })}
            options={views}
          />
        }
      />
      <FilterBar
        active={active}
        onClear={clear}
        actions={
          ticks.ids.length > 1 && (
            <LinkButton variant="primary" href={`/catalog/compare?ids=${ticks.ids.join(",")}`}>
              Compare {ticks.ids.length}
            </LinkButton>
          )
        }
        summary={
          shown.length === rows.length ? `${rows.length} models` : `${shown.length} of ${rows.length} models`
        }
      >
        <span className="relative w-full tablet:w-60">
          <Search size={15} aria-hidden className="absolute top-1/2 left-2.5 -translate-y-1/2 text-muted" />
          <Input
            type="search"
            aria-label="Search models"
            placeholder="Name, operation or use"
            value={filters.q}
            onChange={(event) => setFilters({ q: event.target.value })}
            className="pl-8!"
          />
        </span>
        {facetNames.map((facet) => (
          <FacetMenu
            key={facet}
            label={facetLabels[facet]}
            options={facetOptions(rows, facet, filters.q, filters)}
            chosen={filters[facet]}
            onChange={(values) => setFilters({ [facet]: values })}
          />
        ))}
      </FilterBar>
      {shown.length > 0 ? (
        <Models rows={shown} ticks={ticks} />
      ) : (
        <EmptyState
          drawing="frames"
          title="No models found"
          body="No model matches the search and all filters."
          action={<Button onClick={clear}>Clear filters</Button>}
        />
      )}
    </>
  );
}
