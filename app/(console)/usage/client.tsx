"use client";

import { useQueryStates } from "nuqs";
import { type ReactNode, useTransition } from "react";
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
import type { UsageRead } from "./read-usage.ts";
import { usageSearch } from "./search-params.ts";

interface Choice {
  value: string;
  label: string;
}

/** What each filter can be set to. */
type FilterChoices = Record<"model" | "key" | "member" | "provider" | "metadata", readonly Choice[]>;

interface UsageClientProps {
  usage: GatewayResult<UsageRead>;
  /** Null for people who may see only their own usage. */
  byMetadata: MetadataUsageList | null;
  span: UsageSpan;
  /** The filters that are set, with the gateway's names. */
  filter: Readonly<Record<string, string>>;
  choices: FilterChoices;
  /** The months that the page offers. */
  months: readonly Choice[];
  keyNames: Record<string, string>;
  memberNames: Record<string, string>;
  accountId: string;
  /** Drawn on the server: it needs no script. */
  promptCache: ReactNode;
}

/** Usage and cost, with a table to download. */
export function UsageClient(props: UsageClientProps) {
  const { usage, byMetadata, span, filter, choices, months, keyNames, memberNames, accountId, promptCache } =
    props;
  const router = usePageRouter();
  const [loading, startTransition] = useTransition();
  const [search, setSearch] = useQueryStates(usageSearch, {
    history: "push",
    shallow: false,
    startTransition,
  });
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
            options={choices.model}
            onChange={(model) => setSearch({ model })}
          />
          <FilterSelect
            label="Key"
            any="Any key"
            value={search.key_id}
            options={choices.key}
            onChange={(key_id) => setSearch({ key_id, metadata: "" })}
          />
          {choices.member.length > 1 && (
            <FilterSelect
              label="Member"
              any="Any member"
              value={search.user_id}
              options={choices.member}
              onChange={(user_id) => setSearch({ user_id, metadata: "" })}
            />
          )}
          <FilterSelect
            label="Provider"
            any="Any provider"
            value={search.provider}
            options={choices.provider}
            onChange={(provider) => setSearch({ provider, metadata: "" })}
          />
          {choices.metadata.length > 0 && (
            <FilterSelect
              label="Metadata"
              any="Any metadata"
              value={search.metadata}
              options={choices.metadata}
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
        {usage.ok && promptCache}
      </div>
    </>
  );
}

const filterNames = ["model", "key_id", "user_id", "provider", "metadata"] as const;
