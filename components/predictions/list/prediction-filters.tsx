"use client";

import { Pause, Play } from "lucide-react";
import { apiTypes, regionNames } from "#contract/catalog.ts";
import { predictionStatuses } from "#contract/prediction.ts";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { FilterBar } from "@/components/ui/filter-bar";
import { Select } from "@/components/ui/input";
import { predictionLook } from "@/lib/status/prediction";
import { activeFilters, emptyFilter, type Period, type PredictionFilter, periods } from "../filter.ts";
import { CustomPeriod } from "./custom-period.tsx";

interface PredictionFiltersProps {
  filter: PredictionFilter;
  /** Changes filters; the place in the list starts over. */
  onChange: (change: Partial<PredictionFilter>) => void;
  modelIds: string[];
  summary: string;
  live: boolean;
  onLive: (live: boolean) => void;
}

const periodWords: Record<Period, string> = {
  "1h": "Last hour",
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  custom: "Between …",
};

export function PredictionFilters({
  filter,
  onChange,
  modelIds,
  summary,
  live,
  onLive,
}: PredictionFiltersProps) {
  const choice = (
    label: string,
    key: "status" | "model" | "api_type" | "region",
    all: string,
    options: { value: string; label: string }[],
  ) => (
    <Field label={label} className="w-40 max-phone:w-[calc(50%-4px)]">
      {(aria) => (
        <Select
          {...aria}
          value={filter[key] ?? ""}
          onChange={(event) => onChange({ [key]: event.target.value || null })}
        >
          <option value="">{all}</option>
          {withCurrent(options, filter[key]).map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
  return (
    <FilterBar
      active={activeFilters(filter)}
      onClear={() => onChange(emptyFilter)}
      summary={summary}
      actions={
        <Button
          aria-pressed={!live}
          icon={live ? <Pause size={16} aria-hidden /> : <Play size={16} aria-hidden />}
          onClick={() => onLive(!live)}
        >
          {live ? "Pause updates" : "Resume updates"}
        </Button>
      }
    >
      {choice(
        "Status",
        "status",
        "Any status",
        predictionStatuses.map((value) => ({ value, label: predictionLook(value).label })),
      )}
      {choice(
        "Model",
        "model",
        "Any model",
        modelIds.map((value) => ({ value, label: value })),
      )}
      {choice(
        "Operation",
        "api_type",
        "Any operation",
        apiTypes.map((value) => ({ value, label: value })),
      )}
      {choice(
        "Region",
        "region",
        "Any region",
        regionNames.map((value) => ({ value, label: value })),
      )}
      <Field label="Created" className="w-40 max-phone:w-[calc(50%-4px)]">
        {(aria) => (
          <Select
            {...aria}
            value={filter.period ?? ""}
            onChange={(event) => onChange({ period: periodOf(event.target.value), from: null, to: null })}
          >
            <option value="">Any time</option>
            {periods.map((period) => (
              <option key={period} value={period}>
                {periodWords[period]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {filter.period === "custom" && <CustomPeriod from={filter.from} to={filter.to} onChange={onChange} />}
    </FilterBar>
  );
}

function periodOf(value: string): Period | null {
  return periods.find((period) => period === value) ?? null;
}

/** A value that came with the URL and that the list does not know stays choosable. */
function withCurrent(options: { value: string; label: string }[], current: string | null) {
  if (!current || options.some((option) => option.value === current)) return options;
  return [...options, { value: current, label: current }];
}
