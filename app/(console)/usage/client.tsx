"use client";

import { useQueryStates } from "nuqs";
import { useTransition } from "react";
import type { MetadataUsageList } from "#contract/usage.ts";
import { LinkButton } from "@/components/ui/button";
import { FilterBar, FilterSelect } from "@/components/ui/list/filter-bar";

import { EmptyState } from "@/components/ui/page/empty-state";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/link";
import { NotOffered } from "@/components/ui/page/not-offered";
import { PageHeader } from "@/components/ui/page/page-header";
import { ExportMenu } from "@/components/usage/export-menu";
import { DaysChoice, isOfDays, TimeFilters } from "@/components/usage/time-filters";
import { UsageReport } from "@/components/usage/usage-report";
import type { GatewayResult } from "@/lib/gateway/result";
import type { UsageSpan } from "@/lib/usage/span";
import type { UsageRead } from "./read-usage";
import { usageSearch } from "./search-params";

interface UsageClientProps {
  usage: GatewayResult<UsageRead>;
  /** Null for people who may see only their own usage. */
  byMetadata: MetadataUsageList | null;
  span: UsageSpan;
  modelIds: readonly string[];
  /** The months that the page offers. */
  months: readonly { value: string; label: string }[];
  keyNames: Record<string, string>;
  memberNames: Record<string, string>;
  accountId: string;
}

/** Usage and cost, with a table to download. */
export function UsageClient(props: UsageClientProps) {
  const { usage, byMetadata, span, modelIds, months, keyNames, memberNames, accountId } = props;
  const router = usePageRouter();
  const [loading, startTransition] = useTransition();
  const [search, setSearch] = useQueryStates(usageSearch, {
    history: "push",
    shallow: false,
    startTransition,
  });
  const filter = Object.fromEntries(
    filterNames.flatMap((name) => (search[name] === "" ? [] : [[name, search[name]]])),
  );
  const providers = usage.ok
    ? usage.data.sums.byProvider.flatMap(({ provider }) => provider ?? []).filter(isFirst)
    : [];
  const pairs = [
    search.metadata,
    ...(byMetadata?.data ?? []).flatMap(({ key, value }) => (value === null ? [] : `${key}=${value}`)),
  ].filter((pair, at, all) => pair !== "" && isFirst(pair, at, all));
  const active = Object.keys(filter).length;
  const isOffered = usage.ok || usage.error.code !== "route_not_found";
  return (
    <>
      <PageHeader
        title="Usage"
        description="Usage and cost of this account, by UTC day."
        actions={
          isOffered && (
            <>
              <DaysChoice search={search} onChange={setSearch} />
              <LinkButton href="/usage/tasks">Tasks</LinkButton>
              <ExportMenu route="usage" span={span} filter={filter} accountId={accountId} />
            </>
          )
        }
      />
      {isOffered && (
        <FilterBar
          active={active}
          onClear={() => setSearch(Object.fromEntries(filterNames.map((name) => [name, ""])))}
        >
          <TimeFilters search={search} months={months} onChange={setSearch} />
          <FilterSelect
            label="Model"
            any="Any model"
            value={search.model}
            options={modelIds.map((id) => ({ value: id, label: id }))}
            onChange={(model) => setSearch({ model })}
          />
          <FilterSelect
            label="Key"
            any="Any key"
            value={search.key_id}
            options={optionsOf(keyNames)}
            onChange={(key_id) => setSearch({ key_id, metadata: "" })}
          />
          {Object.keys(memberNames).length > 1 && (
            <FilterSelect
              label="Member"
              any="Any member"
              value={search.user_id}
              options={optionsOf(memberNames)}
              onChange={(user_id) => setSearch({ user_id, metadata: "" })}
            />
          )}
          <FilterSelect
            label="Provider"
            any="Any provider"
            value={search.provider}
            options={providers.map((name) => ({ value: name, label: name }))}
            onChange={(provider) => setSearch({ provider, metadata: "" })}
          />
          {pairs.length > 0 && (
            <FilterSelect
              label="Metadata"
              any="Any metadata"
              value={search.metadata}
              options={pairs.map((pair) => ({ value: pair, label: pairName(pair) }))}
              // Sums by metadata can only be split by day and model.
              onChange={(metadata) => setSearch({ metadata, key_id: "", user_id: "", provider: "" })}
            />
          )}
        </FilterBar>
      )}
      <div aria-busy={loading}>
        {!isOffered && (
          <NotOffered what="usage reports">
            Ask the operator, or add up the <code>usage</code> values in the responses you receive.
          </NotOffered>
        )}
        {!usage.ok && isOffered && <ErrorPanel error={usage.error} onRetry={() => router.refresh()} />}
        {usage.ok && usage.data.sums.byDay.length === 0 && (
          <EmptyState
            title={
              isOfDays(search) && active === 0
                ? `No usage in the last ${search.days} days`
                : `No usage from ${span.from} to ${span.to}${active > 0 ? " with these filters" : ""}`
            }
            body="All runs appear here within seconds."
            action={<LinkButton href="/catalog">Open the catalog</LinkButton>}
          />
        )}
        {usage.ok && usage.data.sums.byDay.length > 0 && (
          <UsageReport
            {...usage.data}
            // Sums by metadata can only be filtered by model.
            byMetadata={Object.keys(filter).every((name) => name === "model") ? byMetadata : null}
            span={span}
            filter={filter}
            keyNames={keyNames}
            memberNames={memberNames}
            shown={search.unit}
            onShow={(unit) => setSearch({ unit }, { shallow: true })}
          />
        )}
      </div>
    </>
  );
}

const filterNames = ["model", "key_id", "user_id", "provider", "metadata"] as const;

/** The value comes first, because a narrow field shows only the beginning. */
function pairName(pair: string): string {
  const at = pair.indexOf("=");
  return `${pair.slice(at + 1)} (${pair.slice(0, at)})`;
}

function isFirst(name: string, at: number, all: readonly string[]): boolean {
  return all.indexOf(name) === at;
}

function optionsOf(names: Readonly<Record<string, string>>) {
  return Object.entries(names).map(([value, label]) => ({ value, label }));
}
