"use client";

import { Search } from "lucide-react";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { CatalogTable } from "@/components/catalog/catalog-table";
import { mostCompared } from "@/components/catalog/compare-limit";
import { facetLabels } from "@/components/catalog/facet-labels";
import { FacetMenu } from "@/components/catalog/facet-menu";
import { facetNames, facetOptions, filterRows } from "@/components/catalog/facets";
import type { CatalogRow } from "@/components/catalog/row";
import { Button, LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { FilterBar } from "@/components/ui/filter-bar";
import { Input } from "@/components/ui/input";
import { catalogSearchParams } from "../search-params.ts";

/** Search and facets over all entries: all entries are loaded, so filtering makes no requests. */
export function CatalogClient({ rows }: { rows: CatalogRow[] }) {
  const [filters, setFilters] = useQueryStates(catalogSearchParams, { history: "replace" });
  const shown = filterRows(rows, filters.q, filters);
  const active = facetNames.filter((facet) => filters[facet].length > 0).length + (filters.q ? 1 : 0);
  const clear = () => setFilters(null);
  const [ticked, setTicked] = useState<string[]>([]);
  const tick = (id: string) =>
    setTicked(ticked.includes(id) ? ticked.filter((other) => other !== id) : [...ticked, id]);

  return (
    <>
      <FilterBar
        active={active}
        onClear={clear}
        actions={
          ticked.length > 1 && (
            <LinkButton variant="primary" href={`/catalog/compare?ids=${ticked.join(",")}`}>
              Compare {ticked.length}
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
            placeholder="Name or operation"
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
        <CatalogTable rows={shown} ticked={ticked} canTick={ticked.length < mostCompared} onTick={tick} />
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
