"use client";

import { outputKinds } from "#contract/output-constants.ts";
import { Button, LinkButton } from "@/components/ui/button";
import type { FilteredList } from "@/components/ui/list/list-filters";
import type { GalleryFilterName } from "@/lib/lists";
import { compareHref } from "../compare/compare-link.ts";
import { RunFilters } from "../run-filters.tsx";

interface GalleryFiltersProps {
  list: FilteredList<GalleryFilterName>;
  modelIds: string[];
  summary: string;
  /** Ids of the predictions chosen for comparison. */
  compared: ReadonlySet<string>;
  onClearComparison: () => void;
}

const kindLabels = { image: "Images", video: "Videos", audio: "Sound" };
const kindOptions = outputKinds.map((value) => ({ value, label: kindLabels[value] }));

/** No status filter: only succeeded predictions have outputs. */
export function GalleryFilters({ compared, onClearComparison, ...props }: GalleryFiltersProps) {
  return (
    <RunFilters
      {...props}
      first={[{ name: "kind", label: "Kind", any: "Any kind", options: kindOptions }]}
      actions={
        compared.size > 0 && (
          <>
            <Button variant="ghost" onClick={onClearComparison}>
              Clear comparison
            </Button>
            <LinkButton variant="primary" href={compareHref([...compared])}>
              Compare {compared.size}
            </LinkButton>
          </>
        )
      }
    />
  );
}
