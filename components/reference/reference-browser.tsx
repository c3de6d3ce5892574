"use client";

import { Search } from "lucide-react";
import { useQueryStates } from "nuqs";
import { useEffect } from "react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/form/input";
import { FilterBar } from "@/components/ui/list/filter-bar";
import { EmptyState } from "@/components/ui/page/empty-state";
import { Section } from "@/components/ui/page/section";
import { isFound, type ListedSection } from "@/lib/reference/listed-route";
import { referenceSearchParams } from "@/lib/reference/search-params";
import { type ReadDetails, ReferenceRoute } from "./reference-route.tsx";

interface ReferenceBrowserProps {
  sections: ListedSection[];
  readDetails: ReadDetails;
}

/** The routes by section, narrowed by a search. */
export function ReferenceBrowser({ sections, readDetails }: ReferenceBrowserProps) {
  const [{ q }, setSearch] = useQueryStates(referenceSearchParams, { history: "replace" });
  const wanted = q.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = sections
    .map(({ tag, routes }) => ({ tag, routes: routes.filter((route) => isFound(tag, route, wanted)) }))
    .filter(({ routes }) => routes.length > 0);
  const all = countOf(sections);
  const count = countOf(shown);
  useEffect(() => {
    openNamed();
    addEventListener("hashchange", openNamed);
    return () => removeEventListener("hashchange", openNamed);
  }, []);
  const clear = () => void setSearch(null);
  return (
    <>
      <FilterBar
        active={q ? 1 : 0}
        onClear={clear}
        summary={count === all ? `${all} routes` : `${count} of ${all} routes`}
      >
        <span className="relative w-full tablet:w-80">
          <Search size={15} aria-hidden className="absolute top-1/2 left-2.5 -translate-y-1/2 text-muted" />
          <Input
            type="search"
            aria-label="Search routes"
            placeholder="Path, method, purpose or parameter"
            value={q}
            onChange={(event) => void setSearch({ q: event.target.value || null })}
            className="pl-8!"
          />
        </span>
      </FilterBar>
      {shown.map(({ tag, routes }) => (
        <Section key={tag} title={tag}>
          <div className="divide-y overflow-hidden rounded-panel border bg-panel">
            {routes.map((route) => (
              <ReferenceRoute key={route.id} route={route} readDetails={readDetails} />
            ))}
          </div>
        </Section>
      ))}
      {shown.length === 0 && (
        <EmptyState
          title="No routes found"
          body="No route has all of these words in its path, purpose or parameters."
          action={<Button onClick={clear}>Clear search</Button>}
        />
      )}
    </>
  );
}

/** Opens the route that the address names after its `#`. */
function openNamed(): void {
  const named = document.getElementById(location.hash.slice(1));
  if (!(named instanceof HTMLDetailsElement)) return;
  named.open = true;
  named.scrollIntoView();
}

function countOf(sections: readonly ListedSection[]): number {
  return sections.reduce((sum, { routes }) => sum + routes.length, 0);
}
