"use client";

import { useWords } from "#words";
import { useAccess } from "@/components/team/access";
import { MemberFilter } from "@/components/team/made-by";
import { Checkbox } from "@/components/ui/form/checkbox";
import { ExportButton } from "@/components/ui/list/export-button";
import { FilterSelect } from "@/components/ui/list/filter-bar";
import { asOptions, type FilteredList, ListFilters } from "@/components/ui/list/list-filters";
import { MoreFilters } from "@/components/ui/list/more-filters";
import { MetadataFilter, SearchFilter, TextFilter } from "@/components/ui/list/text-filter";
import { ViewsButton } from "@/components/ui/list/views-button";
import { Link } from "@/components/ui/page/link";
import { type RequestFilterName, requestList } from "@/lib/request-list";
import { ExportContents } from "./export-contents.tsx";

const statusClasses = [
  { value: "2xx", label: "succeeded2xx" },
  { value: "4xx", label: "rejected4xx" },
  { value: "5xx", label: "failed5xx" },
] as const;
const statuses = [
  200, 201, 202, 400, 401, 402, 403, 404, 409, 410, 413, 415, 422, 429, 499, 500, 502, 503, 504,
];
/** The filters behind "More". */
const rare = [
  "route",
  "user_id",
  "contents",
  "console_reads",
] as const satisfies readonly RequestFilterName[];
const exactStatuses = statuses.map((value) => ({ value: String(value), label: String(value) }));

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
  const t = useWords("requests");
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
          <RunsChoice view={view} />
          {mayRead && (
            <SearchFilter of={t("contentsOf")} value={view.said} onChange={(said) => change({ said })} />
          )}
          <MetadataFilter value={view.metadata} onChange={(metadata) => change({ metadata })} />
        </>
      }
      selects={[
        {
          name: "status",
          label: t("status"),
          any: t("anyStatus"),
          options: statusClasses.map(({ value, label }) => ({ value, label: t(label) })),
          groups: [{ label: t("exactStatus"), options: exactStatuses }],
          or: { name: "status_class", takes: (value) => value.endsWith("xx") },
        },
        { name: "model", label: t("model"), any: t("anyModel"), options: asOptions(modelIds) },
        {
          name: "key_id",
          label: t("madeBy"),
          any: t("anyone"),
          options: [
            { value: "key", label: t("programs") },
            { value: "user", label: t("signedInPeople") },
          ],
          groups: keys.length > 0 ? [{ label: t("keys"), options: keys }] : [],
          or: { name: "actor", takes: (value) => value === "key" || value === "user" },
        },
      ]}
      after={
        <MoreFilters active={rare.filter((name) => view[name] !== "").length}>
          <TextFilter
            key={view.route}
            label={t("pathContains")}
            placeholder={t("path")}
            value={view.route}
            onChange={(route) => change({ route })}
          />
          <FilterSelect
            label={t("errorCode")}
            any={t("anyCode")}
            value={view.code}
            options={[]}
            groups={codeGroups}
            onChange={(code) => change({ code })}
          />
          <MemberFilter
            label={t("member")}
            value={view.user_id}
            onChange={(user_id) => change({ user_id })}
          />
          {mayRead && (
            <Checkbox
              label={t("withContents")}
              title={t("requestsOfWhichTheAccount")}
              checked={view.contents === "kept"}
              onChange={({ currentTarget }) => change({ contents: currentTarget.checked ? "kept" : "" })}
            />
          )}
          <Checkbox
            label={t("consoleReads")}
            title={t("requestsByThisConsoleTo")}
            checked={view.console_reads === "true"}
            onChange={({ currentTarget }) => change({ console_reads: currentTarget.checked ? "true" : "" })}
          />
        </MoreFilters>
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

/** Whether the list has all requests, or only those that started a run. Links, which need no script of their own. */
function RunsChoice({ view }: { view: typeof requestList.empty }) {
  const t = useWords("requests");
  return (
    <nav
      aria-label={t("whichRequests")}
      className="inline-flex gap-0.5 rounded-control border border-strong bg-sunken p-0.5"
    >
      {(["true", ""] as const).map((runs) => (
        <Link
          key={runs}
          href={`/requests${requestList.searchOf({ ...view, runs })}`}
          scroll={false}
          aria-current={view.runs === runs ? "true" : undefined}
          title={runs ? t("requestsThatStartedARun") : undefined}
          className="inline-flex min-h-6 items-center justify-center rounded-[6px] px-2.5 py-0.5 text-table font-medium text-muted aria-[current]:bg-raised aria-[current]:text-ink aria-[current]:shadow-[inset_0_0_0_1px_var(--strong)] pointer-coarse:min-h-11 pointer-coarse:min-w-11"
        >
          {t(runs ? "onlyRuns" : "allRequests")}
        </Link>
      ))}
    </nav>
  );
}
