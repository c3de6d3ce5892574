"use client";

import { useAccess } from "@/components/team/access";
import { MemberFilter } from "@/components/team/made-by";
import { Checkbox } from "@/components/ui/form/checkbox";
import { ExportButton } from "@/components/ui/list/export-button";
import { asOptions, type FilteredList, ListFilters } from "@/components/ui/list/list-filters";
import { MetadataFilter, SearchFilter, TextFilter } from "@/components/ui/list/text-filter";
import { ViewsButton } from "@/components/ui/list/views-button";
import { type RequestFilterName, requestList } from "@/lib/lists";
import { ExportContents } from "./export-contents.tsx";

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

/** `rate_limit_error` as `Rate limit`. */
function typeLabel(type: string): string {
  const words = type
    .replace(/_error$/, "")
    .replaceAll("_", " ")
    .replace("api", "internal");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

interface RequestFiltersProps {
  list: FilteredList<RequestFilterName>;
  keyNames: Record<string, string>;
  modelIds: string[];
  /** Error codes by error type. */
  errorCodes: Record<string, string[]>;
}

export function RequestFilters({ list, keyNames, modelIds, errorCodes }: RequestFiltersProps) {
  const { view, change } = list;
  const mayRead = useAccess().may("contents:read");
  const codeGroups = Object.entries(errorCodes).map(([type, codes]) => ({
    label: typeLabel(type),
    options: asOptions(codes),
  }));
  const keys = Object.entries(keyNames).map(([value, label]) => ({ value, label }));
  return (
    <ListFilters
      list={list}
      before={
        <>
          <TextFilter
            key={view.route}
            label="Path contains"
            placeholder="Path"
            value={view.route}
            onChange={(route) => change({ route })}
          />
          {mayRead && <SearchFilter of="contents" value={view.said} onChange={(said) => change({ said })} />}
          <MemberFilter label="Member" value={view.user_id} onChange={(user_id) => change({ user_id })} />
          <MetadataFilter value={view.metadata} onChange={(metadata) => change({ metadata })} />
        </>
      }
      selects={[
        {
          name: "status",
          label: "Status",
          any: "Any status",
          options: statusClasses,
          groups: statusGroups,
          or: { name: "status_class", takes: (value) => value.endsWith("xx") },
        },
        { name: "code", label: "Error code", any: "Any code", groups: codeGroups },
        { name: "model", label: "Model", any: "Any model", options: asOptions(modelIds) },
        {
          name: "key_id",
          label: "Made by",
          any: "Anyone",
          options: madeBy,
          groups: keys.length > 0 ? [{ label: "Keys", options: keys }] : [],
          or: { name: "actor", takes: (value) => value === "key" || value === "user" },
        },
      ]}
      after={
        <>
          {mayRead && (
            <Checkbox
              label="With contents"
              title="Requests of which the account kept what they said"
              checked={view.contents === "kept"}
              onChange={({ currentTarget }) => change({ contents: currentTarget.checked ? "kept" : "" })}
            />
          )}
          <Checkbox
            label="Console reads"
            title="Requests by this console to show its pages"
            checked={view.console_reads === "true"}
            onChange={({ currentTarget }) => change({ console_reads: currentTarget.checked ? "true" : "" })}
          />
        </>
      }
      actions={
        <>
          <ViewsButton list="requests" search={requestList.searchOf(view)} />
          {/* A file cannot be filtered by words of the contents. Without the permission, the list is not either. */}
          {(view.said === "" || !mayRead) && (
            <>
              <ExportButton route="requests" filterAt={(nowMs) => requestList.filterOf(view, nowMs)} />
              {mayRead && <ExportContents filterAt={(nowMs) => requestList.filterOf(view, nowMs)} />}
            </>
          )}
        </>
      }
    />
  );
}
