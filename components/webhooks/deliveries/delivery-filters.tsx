"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { pairIn } from "#contract/metadata.ts";
import { deliveryErrorCodes, eventTypes } from "#contract/webhook-constants.ts";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/form/input";
import { asOptions, type FilteredList, ListFilters } from "@/components/ui/list/list-filters";
import { MetadataFilter } from "@/components/ui/list/metadata-filter";
import { deliveryLooks } from "@/lib/status/delivery";
import {
  type DeliveryFilterName,
  type DeliveryView,
  idFilter,
  retriedSince,
} from "@/lib/webhooks/delivery-view";
import { endpointAddress } from "@/lib/webhooks/endpoint-address";
import { errorLabel } from "@/lib/webhooks/error-labels";

const FilterChips = dynamic(() => import("./filter-chips.tsx").then((module) => module.FilterChips), {
  loading: () => null,
});

interface DeliveryFiltersProps {
  list: FilteredList<DeliveryFilterName>;
  endpoints: { id: string; url: string; description: string | null }[] | null;
  /** Null: no match can be retried. */
  onRetryAll: (() => void) | null;
  /** The number of matches as text; empty if not counted. */
  summary: string;
}

const statusOptions = [
  ...Object.entries(deliveryLooks).map(([value, { label }]) => ({ value, label })),
  { value: retriedSince, label: "Retried since" },
];
/** One filter for the result: a class of responses, or why there was none. */
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

/** The log's filters and actions in one row; filters by id are shown as chips below. */
export function DeliveryFilters({ list, endpoints, onRetryAll, summary }: DeliveryFiltersProps) {
  const { view, change } = list;
  return (
    <>
      <ListFilters
        list={list}
        summary={summary}
        selects={[
          { name: "status", label: "Status", any: "Any status", options: statusOptions },
          endpoints !== null && {
            name: "endpoint_id",
            label: "Endpoint",
            any: "Any endpoint",
            options: endpoints.map(({ id, url, description }) => ({
              value: id,
              label: description ? `${description} · ${endpointAddress(url)}` : endpointAddress(url),
            })),
          },
          { name: "event_type", label: "Event type", any: "Any event", options: asOptions(eventTypes) },
          {
            name: "error_code",
            label: "Response",
            any: "Any response",
            groups: resultGroups,
            or: { name: "status_class", takes: (value) => /^\dxx$/.test(value) },
          },
        ]}
        before={<Search onFind={change} />}
        actions={onRetryAll && <Button onClick={onRetryAll}>Retry all matching…</Button>}
      >
        <MetadataFilter value={view.metadata} onChange={(metadata) => change({ metadata })} />
      </ListFilters>
      {(view.id || view.event_id || view.prediction_id) && <FilterChips view={view} onChange={change} />}
    </>
  );
}

/** Takes a delivery, event, prediction or endpoint id, or a pair such as `customer=umbrella`, and makes it a filter. */
function Search({ onFind }: { onFind: (next: Partial<DeliveryView>) => void }) {
  const [text, setText] = useState("");
  const [refused, setRefused] = useState(false);

  const find = () => {
    const pair = pairIn(text);
    const found = pair ? { name: "metadata", value: pair } : idFilter(text);
    setRefused(found === null && text.trim() !== "");
    if (!found) return;
    setText("");
    onFind({ [found.name]: found.value });
  };
  return (
    <form
      className="relative w-44 max-w-full max-tablet:w-full"
      onSubmit={(event) => {
        event.preventDefault();
        find();
      }}
    >
      <Input
        type="search"
        aria-label="Search by id of a delivery, event, prediction or endpoint, or by key=value"
        aria-invalid={refused || undefined}
        placeholder="Search by id"
        title="Paste an id (dlv_, evt_, pred_ or we_) or type customer=acme, and press Enter"
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setRefused(false);
        }}
      />
      <span role="status">
        {refused && (
          <span className="absolute top-full left-0 z-10 mt-1 rounded-control border border-bad bg-raised px-2 py-1 text-meta whitespace-nowrap text-bad shadow-float">
            Enter an id that starts with dlv_, evt_, pred_ or we_, or key=value
          </span>
        )}
      </span>
    </form>
  );
}
