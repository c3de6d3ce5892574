"use client";

import { RotateCw } from "lucide-react";
import dynamic from "next/dynamic";
import { deliveryErrorCodes, eventTypes } from "#contract/webhook-constants.ts";
import { Button } from "@/components/ui/button";
import { FilterBar } from "@/components/ui/filter-bar";
import { FilterSelect } from "@/components/ui/filter-select";
import { deliveryLooks } from "@/lib/status/delivery";
import { countFilters, type DeliveryView, spans } from "@/lib/webhooks/delivery-view";
import { endpointAddress } from "@/lib/webhooks/endpoint-address";
import { errorLabel } from "@/lib/webhooks/error-labels";
import { IdSearch } from "./id-search.tsx";
import { TimeRange } from "./time-range.tsx";

const FilterChips = dynamic(() => import("./filter-chips.tsx").then((module) => module.FilterChips), {
  loading: () => null,
});

interface DeliveryFiltersProps {
  view: DeliveryView;
  endpoints: { id: string; url: string }[] | null;
  onChange: (next: Partial<DeliveryView>) => void;
  onClear: () => void;
  onRetryAll: () => void;
}

const statusClasses = [
  { value: "2xx", label: "2xx accepted" },
  { value: "3xx", label: "3xx redirect" },
  { value: "4xx", label: "4xx rejected" },
  { value: "5xx", label: "5xx failed" },
];

/** The log's filters in one row; what is set otherwise shows as chips below. */
export function DeliveryFilters({ view, endpoints, onChange, onClear, onRetryAll }: DeliveryFiltersProps) {
  return (
    <>
      <FilterBar
        active={countFilters(view)}
        onClear={onClear}
        actions={
          <Button icon={<RotateCw size={16} aria-hidden />} onClick={onRetryAll}>
            Retry all matching…
          </Button>
        }
      >
        <FilterSelect
          label="Status"
          any="Any status"
          value={view.status}
          options={Object.entries(deliveryLooks).map(([value, look]) => ({ value, label: look.label }))}
          onChange={(status) => onChange({ status })}
        />
        {endpoints && (
          <FilterSelect
            label="Endpoint"
            any="Any endpoint"
            value={view.endpoint_id}
            options={endpoints.map(({ id, url }) => ({ value: id, label: endpointAddress(url) }))}
            onChange={(endpoint_id) => onChange({ endpoint_id })}
          />
        )}
        <FilterSelect
          label="Event type"
          any="Any event"
          value={view.event_type}
          options={eventTypes.map((value) => ({ value, label: value }))}
          onChange={(event_type) => onChange({ event_type })}
        />
        <FilterSelect
          label="Response"
          any="Any response"
          value={view.status_class}
          options={statusClasses}
          onChange={(status_class) => onChange({ status_class })}
        />
        <FilterSelect
          label="Error"
          any="Any error"
          value={view.error_code}
          options={deliveryErrorCodes.map((value) => ({ value, label: errorLabel(value) }))}
          onChange={(error_code) => onChange({ error_code })}
        />
        <FilterSelect
          label="Time"
          any="Any time"
          value={view.since}
          options={[...spans].map(([value, span]) => ({ value, label: span.label }))}
          onChange={(since) => onChange({ since, created_after: "", created_before: "" })}
        />
        <TimeRange view={view} onChange={onChange} />
        <IdSearch onFind={onChange} />
      </FilterBar>
      {(view.id || view.event_id || view.prediction_id) && <FilterChips view={view} onChange={onChange} />}
    </>
  );
}
