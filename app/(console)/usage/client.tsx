"use client";

import dynamic from "next/dynamic";
import { useQueryStates } from "nuqs";
import { type ReactNode, useTransition } from "react";
import type { MetadataUsageList } from "#contract/usage.ts";
import { useWords } from "#words";
import { LinkButton } from "@/components/ui/button";
import { FilterBar, FilterSelect } from "@/components/ui/list/filter-bar";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/link";
import { PageHeader } from "@/components/ui/page/page-header";
import { ExportMenu } from "@/components/usage/export-menu";
import { DaysChoice, isOfDays, TimeFilters } from "@/components/usage/time-filters";
import { UsageReport } from "@/components/usage/usage-report";
import type { GatewayResult } from "@/lib/gateway/result";
import type { UsageSpan } from "@/lib/usage/span";
import type { UsageRead } from "./read-usage.ts";
import { usageSearch } from "./search-params.ts";

const NotOffered = dynamic(
  () => import("@/components/ui/page/not-offered").then((module) => module.NotOffered),
  { loading: () => null },
);
const EmptyState = dynamic(
  () => import("@/components/ui/page/empty-state").then((module) => module.EmptyState),
  { loading: () => null },
);

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
  /** Drawn on the server: they need no script. */
  budgets: ReactNode;
  promptCache: ReactNode;
}

/** Usage and cost, with a table to download. */
export function UsageClient(props: UsageClientProps) {
  const t = useWords("usage");
  const { usage, byMetadata, span, filter, choices, months, keyNames, memberNames, accountId } = props;
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
        title={t("usage")}
        description={t("usageAndCostOfThis")}
        actions={
          isOffered && (
            <>
              <DaysChoice search={search} onChange={setSearch} />
              <LinkButton href="/usage/tasks">{t("tasks")}</LinkButton>
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
            label={t("model")}
            any={t("anyModel")}
            value={search.model}
            options={choices.model}
            onChange={(model) => setSearch({ model })}
          />
          <FilterSelect
            label={t("key")}
            any={t("anyKey")}
            value={search.key_id}
            options={choices.key}
            onChange={(key_id) => setSearch({ key_id, metadata: "" })}
          />
          {choices.member.length > 1 && (
            <FilterSelect
              label={t("member")}
              any={t("anyMember")}
              value={search.user_id}
              options={choices.member}
              onChange={(user_id) => setSearch({ user_id, metadata: "" })}
            />
          )}
          <FilterSelect
            label={t("provider")}
            any={t("anyProvider")}
            value={search.provider}
            options={choices.provider}
            onChange={(provider) => setSearch({ provider, metadata: "" })}
          />
          {choices.metadata.length > 0 && (
            <FilterSelect
              label={t("metadata")}
              any={t("anyMetadata")}
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
          <NotOffered what={t("usageReports")}>
            {t.rich(
              "askTheOperator",
              { field: "usage" },
              { code: (content) => <code key="field">{content}</code> },
            )}
          </NotOffered>
        )}
        {!usage.ok && isOffered && <ErrorPanel error={usage.error} onRetry={() => router.refresh()} />}
        {usage.ok && usage.data.sums.byDay.length === 0 && <div className="mb-6 flex">{props.budgets}</div>}
        {usage.ok && usage.data.sums.byDay.length === 0 && (
          <EmptyState
            title={
              isOfDays(search) && active === 0
                ? t("noUsageInTheLast", { days: search.days })
                : t(active > 0 ? "noUsageFiltered" : "noUsageBetween", { from: span.from, to: span.to })
            }
            body={t("allRunsAppearHereWithin")}
            action={<LinkButton href="/catalog">{t("openTheCatalog")}</LinkButton>}
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
            budgets={props.budgets}
          />
        )}
        {usage.ok && props.promptCache}
      </div>
    </>
  );
}

const filterNames = ["model", "key_id", "user_id", "provider", "metadata"] as const;
