import type { ReactNode } from "react";
import { apiTypes, regionNames } from "#contract/catalog-constants.ts";
import { MemberFilter } from "@/components/team/member-filter";
import {
  asOptions,
  type FilteredList,
  ListFilters,
  type SelectFilter,
} from "@/components/ui/list/list-filters";
import { MetadataFilter } from "@/components/ui/list/metadata-filter";

type SharedName = "model" | "api_type" | "svc_region" | "user_id" | "metadata";

interface RunFiltersProps<First extends string> {
  list: FilteredList<SharedName | First>;
  /** The filters that only this view has. */
  first: readonly SelectFilter<First>[];
  modelIds: string[];
  summary: string;
  before?: ReactNode;
  actions?: ReactNode;
}

/** The filters for predictions, which the list and the gallery share. */
export function RunFilters<First extends string>(props: RunFiltersProps<First>) {
  const { list, first, modelIds, ...rest } = props;
  const { view, change } = list as FilteredList<SharedName>;
  return (
    <ListFilters
      {...rest}
      list={list}
      selects={[
        ...first,
        { name: "model", label: "Model", any: "Any model", options: asOptions(modelIds) },
        { name: "api_type", label: "Operation", any: "Any operation", options: asOptions(apiTypes) },
        { name: "svc_region", label: "Region", any: "Any region", options: asOptions(regionNames) },
      ]}
    >
      <MemberFilter value={view.user_id} onChange={(user_id) => change({ user_id })} />
      <MetadataFilter value={view.metadata} onChange={(metadata) => change({ metadata })} />
    </ListFilters>
  );
}
