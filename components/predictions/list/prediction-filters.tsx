"use client";

import { apiTypes, regionNames } from "#contract/catalog-constants.ts";
import { predictionStatuses } from "#contract/prediction-constants.ts";
import { MemberFilter } from "@/components/team/member-filter";
import { LinkButton } from "@/components/ui/button";
import { asOptions, type FilteredList, ListFilters } from "@/components/ui/list/list-filters";
import { MetadataFilter } from "@/components/ui/list/metadata-filter";
import { SearchFilter } from "@/components/ui/list/search-filter";
import type { PredictionFilterName } from "@/lib/lists";
import { predictionLook } from "@/lib/status/prediction";
import { compareHref } from "../compare/compare-link.ts";

interface PredictionFiltersProps {
  list: FilteredList<PredictionFilterName>;
  modelIds: string[];
  summary: string;
  /** Ids chosen for comparison. */
  ticked: readonly string[];
}

const statusOptions = predictionStatuses.map((value) => ({ value, label: predictionLook(value).label }));

export function PredictionFilters({ list, modelIds, summary, ticked }: PredictionFiltersProps) {
  return (
    <ListFilters
      list={list}
      summary={summary}
      before={
        <SearchFilter of="prompts" value={list.view.search} onChange={(search) => list.change({ search })} />
      }
      selects={[
        { name: "status", label: "Status", any: "Any status", options: statusOptions },
        { name: "model", label: "Model", any: "Any model", options: asOptions(modelIds) },
        { name: "api_type", label: "Operation", any: "Any operation", options: asOptions(apiTypes) },
        { name: "svc_region", label: "Region", any: "Any region", options: asOptions(regionNames) },
      ]}
      actions={
        ticked.length > 1 && (
          <LinkButton variant="primary" href={compareHref(ticked)}>
            Compare {ticked.length}
          </LinkButton>
        )
      }
    >
      <MemberFilter value={list.view.user_id} onChange={(user_id) => list.change({ user_id })} />
      <MetadataFilter value={list.view.metadata} onChange={(metadata) => list.change({ metadata })} />
    </ListFilters>
  );
}
