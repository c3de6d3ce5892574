"use client";

import { predictionStatuses } from "#contract/prediction-constants.ts";
import { LinkButton } from "@/components/ui/button";
import type { FilteredList } from "@/components/ui/list/list-filters";
import { SearchFilter } from "@/components/ui/list/search-filter";
import type { PredictionFilterName } from "@/lib/lists";
import { predictionLook } from "@/lib/status/prediction";
import { compareHref } from "../compare/compare-link.ts";
import { RunFilters } from "../run-filters.tsx";

interface PredictionFiltersProps {
  list: FilteredList<PredictionFilterName>;
  modelIds: string[];
  summary: string;
  /** Ids chosen for comparison. */
  ticked: readonly string[];
}

const statusOptions = predictionStatuses.map((value) => ({ value, label: predictionLook(value).label }));

export function PredictionFilters({ ticked, ...props }: PredictionFiltersProps) {
  const { view, change } = props.list;
  return (
    <RunFilters
      {...props}
      first={{ name: "status", label: "Status", any: "Any status", options: statusOptions }}
      before={<SearchFilter of="prompts" value={view.search} onChange={(search) => change({ search })} />}
      actions={
        ticked.length > 1 && (
          <LinkButton variant="primary" href={compareHref(ticked)}>
            Compare {ticked.length}
          </LinkButton>
        )
      }
    />
  );
}
