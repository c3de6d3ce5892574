"use client";

import { apiTypes, regionNames } from "#contract/catalog-constants.ts";
import { predictionStatuses } from "#contract/prediction-constants.ts";
import { MemberFilter } from "@/components/team/member-filter";
import { LinkButton } from "@/components/ui/button";
import { FilterBar } from "@/components/ui/filter-bar";
import { FilterSelect } from "@/components/ui/filter-select";
import { TimeSelect } from "@/components/ui/time-select";
import type { PredictionView } from "@/lib/lists";
import { predictionLook } from "@/lib/status/prediction";
import { compareHref } from "../compare/compare-link.ts";

interface PredictionFiltersProps {
  view: PredictionView;
  active: number;
  /** Changes filters; the place in the list starts over. */
  onChange: (change: Partial<PredictionView>) => void;
  onClear: () => void;
  modelIds: string[];
  summary: string;
  /** Ids chosen for comparison. */
  ticked: readonly string[];
}

const asOptions = (values: readonly string[]) => values.map((value) => ({ value, label: value }));
const statusOptions = predictionStatuses.map((value) => ({ value, label: predictionLook(value).label }));
const apiTypeOptions = asOptions(apiTypes);
const regionOptions = asOptions(regionNames);

export function PredictionFilters(props: PredictionFiltersProps) {
  const { view, active, onChange, onClear, modelIds, summary, ticked } = props;
  return (
    <FilterBar
      active={active}
      onClear={onClear}
      summary={summary}
      actions={
        ticked.length > 1 && (
          <LinkButton variant="primary" href={compareHref(ticked)}>
            Compare {ticked.length}
          </LinkButton>
        )
      }
    >
      <FilterSelect
        label="Status"
        any="Any status"
        value={view.status}
        options={statusOptions}
        onChange={(status) => onChange({ status })}
      />
      <FilterSelect
        label="Model"
        any="Any model"
        value={view.model}
        options={asOptions(modelIds)}
        onChange={(model) => onChange({ model })}
      />
      <FilterSelect
        label="Operation"
        any="Any operation"
        value={view.api_type}
        options={apiTypeOptions}
        onChange={(api_type) => onChange({ api_type })}
      />
      <FilterSelect
        label="Region"
        any="Any region"
        value={view.svc_region}
        options={regionOptions}
        onChange={(svc_region) => onChange({ svc_region })}
      />
      <MemberFilter value={view.user_id} onChange={(user_id) => onChange({ user_id })} />
      <TimeSelect value={view} onChange={onChange} />
    </FilterBar>
  );
}
