"use client";

import dynamic from "next/dynamic";
import { apiTypes, regionNames } from "#contract/catalog-constants.ts";
import { predictionStatuses } from "#contract/prediction-constants.ts";
import { MemberFilter } from "@/components/team/member-filter";
import { LinkButton } from "@/components/ui/button";
import { FilterBar } from "@/components/ui/filter-bar";
import { FilterSelect } from "@/components/ui/filter-select";
import { predictionLook } from "@/lib/status/prediction";
import { compareHref } from "../compare/compare-link.ts";
import { activeFilters, emptyFilter, type Period, type PredictionFilter, periods } from "../filter.ts";

/** Most periods are chosen by name. */
const CustomPeriod = dynamic(() => import("./custom-period.tsx").then((module) => module.CustomPeriod), {
  loading: () => null,
});

interface PredictionFiltersProps {
  filter: PredictionFilter;
  /** Changes filters; the place in the list starts over. */
  onChange: (change: Partial<PredictionFilter>) => void;
  modelIds: string[];
  summary: string;
  /** Ids chosen for comparison. */
  ticked: readonly string[];
}

const periodWords: Record<Period, string> = {
  "1h": "Last hour",
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  custom: "Custom…",
};

const asOptions = (values: readonly string[]) => values.map((value) => ({ value, label: value }));
const statusOptions = predictionStatuses.map((value) => ({ value, label: predictionLook(value).label }));
const apiTypeOptions = asOptions(apiTypes);
const regionOptions = asOptions(regionNames);
const periodOptions = periods.map((value) => ({ value, label: periodWords[value] }));

export function PredictionFilters({ filter, onChange, modelIds, summary, ticked }: PredictionFiltersProps) {
  return (
    <FilterBar
      active={activeFilters(filter)}
      onClear={() => onChange(emptyFilter)}
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
        value={filter.status ?? ""}
        options={statusOptions}
        onChange={(status) => onChange({ status: status || null })}
      />
      <FilterSelect
        label="Model"
        any="Any model"
        value={filter.model ?? ""}
        options={asOptions(modelIds)}
        onChange={(model) => onChange({ model: model || null })}
      />
      <FilterSelect
        label="Operation"
        any="Any operation"
        value={filter.api_type ?? ""}
        options={apiTypeOptions}
        onChange={(api_type) => onChange({ api_type: api_type || null })}
      />
      <FilterSelect
        label="Region"
        any="Any region"
        value={filter.region ?? ""}
        options={regionOptions}
        onChange={(region) => onChange({ region: region || null })}
      />
      <MemberFilter value={filter.member} onChange={(member) => onChange({ member: member || null })} />
      <FilterSelect
        label="Created"
        any="Any time"
        value={filter.period ?? ""}
        options={periodOptions}
        onChange={(period) => onChange({ period: periodOf(period), from: null, to: null })}
      />
      {filter.period === "custom" && <CustomPeriod from={filter.from} to={filter.to} onChange={onChange} />}
    </FilterBar>
  );
}

function periodOf(value: string): Period | null {
  return periods.find((period) => period === value) ?? null;
}
