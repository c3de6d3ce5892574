"use client";

import { useState } from "react";
import { errorCatalogue } from "#contract/error.ts";
import { Checkbox } from "@/components/ui/checkbox";
import { FilterBar } from "@/components/ui/filter-bar";
import { FilterSelect } from "@/components/ui/filter-select";
import { Input } from "@/components/ui/input";
import { TimeSelect } from "@/components/ui/time-select";
import type { RequestView } from "@/lib/lists";

interface RequestFiltersProps {
  view: RequestView;
  active: number;
  keyNames: Record<string, string>;
  modelIds: string[];
  onChange: (next: Partial<RequestView>) => void;
  onClear: () => void;
}

const statusClasses = [
  { value: "2xx", label: "2xx succeeded" },
  { value: "4xx", label: "4xx rejected" },
  { value: "5xx", label: "5xx failed" },
];
const statuses = [
  200, 201, 202, 400, 401, 402, 403, 404, 409, 410, 413, 415, 422, 429, 499, 500, 502, 503, 504,
];
const statusGroups = [
  {
    label: "Exact status",
    options: statuses.map((value) => ({ value: String(value), label: String(value) })),
  },
];
const madeBy = [
  { value: "key", label: "Programs (any key)" },
  { value: "user", label: "Signed-in people" },
];

/** Error codes under the type that they are answered with. */
const codeGroups = Object.entries(Object.groupBy(Object.entries(errorCatalogue), ([, { type }]) => type)).map(
  ([type, codes]) => ({
    label: typeLabel(type),
    options: codes.map(([code]) => ({ value: code, label: code })),
  }),
);

/** `rate_limit_error` as `Rate limit`. */
function typeLabel(type: string): string {
  const words = type
    .replace(/_error$/, "")
    .replaceAll("_", " ")
    .replace("api", "internal");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function RequestFilters(props: RequestFiltersProps) {
  const { view, active, keyNames, modelIds, onChange, onClear } = props;
  const keys = Object.entries(keyNames).map(([value, label]) => ({ value, label }));
  return (
    <FilterBar
      active={active}
      onClear={onClear}
      actions={
        <Checkbox
          label="Console reads"
          title="What this console reads to show its pages"
          checked={view.console_reads === "true"}
          onChange={({ currentTarget }) => onChange({ console_reads: currentTarget.checked ? "true" : "" })}
        />
      }
    >
      <RouteSearch key={view.route} value={view.route} onChange={(route) => onChange({ route })} />
      <FilterSelect
        label="Status"
        any="Any status"
        value={view.status || view.status_class}
        options={statusClasses}
        groups={statusGroups}
        onChange={(value) => {
          const isClass = value === "" || value.endsWith("xx");
          onChange({ status: isClass ? "" : value, status_class: isClass ? value : "" });
        }}
      />
      <FilterSelect
        label="Error code"
        any="Any code"
        value={view.code}
        options={[]}
        groups={codeGroups}
        onChange={(code) => onChange({ code })}
      />
      <FilterSelect
        label="Model"
        any="Any model"
        value={view.model}
        options={modelIds.map((value) => ({ value, label: value }))}
        onChange={(model) => onChange({ model })}
      />
      <FilterSelect
        label="Made by"
        any="Anyone"
        value={view.key_id || view.actor}
        options={madeBy}
        groups={keys.length > 0 ? [{ label: "Keys", options: keys }] : []}
        onChange={(value) => {
          const isActor = value === "key" || value === "user";
          onChange({ actor: isActor ? value : "", key_id: isActor ? "" : value });
        }}
      />
      <TimeSelect value={view} onChange={onChange} />
    </FilterBar>
  );
}

/** Part of a route, as `/predictions`: a filter with Enter, or when the field is left. */
function RouteSearch({ value, onChange }: { value: string; onChange: (route: string) => void }) {
  const [text, setText] = useState(value);
  const apply = () => {
    if (text.trim() !== value) onChange(text.trim());
  };
  return (
    <form
      className="max-w-44 flex-1 basis-28 max-tablet:max-w-none"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <Input
        type="search"
        aria-label="Path contains"
        placeholder="Path"
        className="font-mono placeholder:font-sans"
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={apply}
      />
    </form>
  );
}
