"use client";

import { Search } from "lucide-react";
import { useQueryStates } from "nuqs";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/form/input";
import { FilterBar } from "@/components/ui/list/filter-bar";
import { EmptyState } from "@/components/ui/page/empty-state";
import { Section } from "@/components/ui/page/section";
import { referenceSearchParams } from "@/lib/reference/search-params";

export interface ReferenceSection {
  tag: string;
  /** Drawn on the server; `words` is what a search looks in. */
  operations: { id: string; words: string; node: ReactNode }[];
}

/** The routes by section, narrowed by a search. */
export function ReferenceBrowser({ sections }: { sections: ReferenceSection[] }) {
  const [{ q }, setSearch] = useQueryStates(referenceSearchParams, { history: "replace" });
  const wanted = q.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = sections
    .map(({ tag, operations }) => ({
      tag,
      operations: operations.filter(({ words }) => wanted.every((word) => words.includes(word))),
    }))
    .filter(({ operations }) => operations.length > 0);
  const all = countOf(sections);
  const count = countOf(shown);
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
      {shown.map(({ tag, operations }) => (
        <Section key={tag} title={tag}>
          <div className="divide-y overflow-hidden rounded-panel border bg-panel">
            {operations.map(({ id, node }) => (
              <div key={id} className="min-w-0">
                {node}
              </div>
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

function countOf(sections: readonly ReferenceSection[]): number {
  return sections.reduce((sum, { operations }) => sum + operations.length, 0);
}
