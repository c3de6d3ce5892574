"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { deliveryErrorCodes, eventTypes } from "#contract/webhook-constants.ts";
import { Button } from "@/components/ui/button";
import { FilterBar } from "@/components/ui/filter-bar";
import { FilterSelect } from "@/components/ui/filter-select";
import { Input } from "@/components/ui/input";
import { TimeSelect } from "@/components/ui/time-select";
import { deliveryLooks } from "@/lib/status/delivery";
import { type DeliveryView, deliveryList, idFilter, retriedSince } from "@/lib/webhooks/delivery-view";
import { endpointAddress } from "@/lib/webhooks/endpoint-address";
import { errorLabel } from "@/lib/webhooks/error-labels";

const FilterChips = dynamic(() => import("./filter-chips.tsx").then((module) => module.FilterChips), {
  loading: () => null,
});

interface DeliveryFiltersProps {
  view: DeliveryView;
  endpoints: { id: string; url: string }[] | null;
  onChange: (next: Partial<DeliveryView>) => void;
  onClear: () => void;
  /** Null: nothing that matches can be retried. */
  onRetryAll: (() => void) | null;
  /** How many match, in words; empty where nobody counted. */
  summary: string;
}

const statusOptions = [
  ...Object.entries(deliveryLooks).map(([value, { label }]) => ({ value, label })),
  { value: retriedSince, label: "Retried since" },
];
const eventOptions = eventTypes.map((value) => ({ value, label: value }));
/** One filter for what came back: a class of responses, or why there was none. */
const resultGroups = [
  {
    label: "Response",
    options: [
      { value: "2xx", label: "2xx accepted" },
      { value: "3xx", label: "3xx redirect" },
      { value: "4xx", label: "4xx rejected" },
      { value: "5xx", label: "5xx failed" },
    ],
  },
  {
    label: "Error",
    options: deliveryErrorCodes.map((value) => ({ value, label: errorLabel(value) })),
  },
];

/** The log's filters and actions in one row; filters by id show as chips below. */
export function DeliveryFilters(props: DeliveryFiltersProps) {
  const { view, endpoints, onChange, onClear, onRetryAll, summary } = props;
  return (
    <>
      <FilterBar
        active={deliveryList.countOf(view)}
        onClear={onClear}
        summary={summary}
        actions={onRetryAll && <Button onClick={onRetryAll}>Retry all matching…</Button>}
      >
        <FilterSelect
          label="Status"
          any="Any status"
          value={view.status}
          options={statusOptions}
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
          options={eventOptions}
          onChange={(event_type) => onChange({ event_type })}
        />
        <FilterSelect
          label="Result"
          any="Any result"
          value={view.error_code || view.status_class}
          options={[]}
          groups={resultGroups}
          onChange={(value) => {
            const isClass = /^\dxx$/.test(value);
            onChange({ status_class: isClass ? value : "", error_code: isClass ? "" : value });
          }}
        />
        <TimeSelect value={view} onChange={onChange} />
        <IdSearch onFind={onChange} />
      </FilterBar>
      {(view.id || view.event_id || view.prediction_id) && <FilterChips view={view} onChange={onChange} />}
    </>
  );
}

/** Takes a pasted delivery, event, prediction or endpoint id and makes it a filter. */
function IdSearch({ onFind }: { onFind: (next: Partial<DeliveryView>) => void }) {
  const [text, setText] = useState("");
  const [refused, setRefused] = useState(false);

  const find = () => {
    const found = idFilter(text);
    setRefused(found === null && text.trim() !== "");
    if (!found) return;
    setText("");
    onFind({ [found.name]: found.value });
  };
  return (
    <form
      className="relative max-w-44 flex-1 basis-24 max-tablet:max-w-none"
      onSubmit={(event) => {
        event.preventDefault();
        find();
      }}
    >
      <Input
        type="search"
        aria-label="Search by delivery, event, prediction or endpoint id"
        aria-invalid={refused || undefined}
        placeholder="Find id"
        title="Paste an id (dlv_, evt_, pred_ or we_) and press Enter"
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setRefused(false);
        }}
      />
      <span role="status">
        {refused && (
          <span className="absolute top-full left-0 z-10 mt-1 rounded-control border border-bad bg-raised px-2 py-1 text-meta whitespace-nowrap text-bad shadow-float">
            Enter an id that starts with dlv_, evt_, pred_ or we_
          </span>
        )}
      </span>
    </form>
  );
}
