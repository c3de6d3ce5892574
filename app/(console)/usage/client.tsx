"use client";

import { useQueryStates } from "nuqs";
import { useTransition } from "react";
import type { MetadataUsageList } from "#contract/usage.ts";
import { LinkButton } from "@/components/ui/button";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { EmptyState } from "@/components/ui/page/empty-state";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { NotOffered } from "@/components/ui/page/not-offered";
import { PageHeader } from "@/components/ui/page/page-header";
import { usePageRouter } from "@/components/ui/page/use-place";
import { ExportMenu } from "@/components/usage/export-menu";
import { UsageReport } from "@/components/usage/usage-report";
import type { GatewayResult } from "@/lib/gateway/result";
import type { UsageRead, UsageSpan } from "./read-usage";
import { usageSearch, usageSpans } from "./search-params";

interface UsageClientProps {
  usage: GatewayResult<UsageRead>;
  /** Null for those who see their own usage only. */
  byMetadata: MetadataUsageList | null;
  span: UsageSpan;
  keyNames: Record<string, string>;
  memberNames: Record<string, string>;
  accountId: string;
}

/** What was used and what it cost, with the table to download. */
export function UsageClient(props: UsageClientProps) {
  const { usage, byMetadata, span, keyNames, memberNames, accountId } = props;
  const router = usePageRouter();
  const [loading, startTransition] = useTransition();
  const [search, setSearch] = useQueryStates(usageSearch, {
    history: "push",
    shallow: false,
    startTransition,
  });
  const isOffered = usage.ok || usage.error.code !== "route_not_found";
  return (
    <>
      <PageHeader
        title="Usage"
        description="What this account used, and what it cost. Days are in UTC."
        actions={
          isOffered && (
            <>
              <RadioGroup
                legend="Time"
                hideLegend
                appearance="segments"
                options={usageSpans.map((value) => ({ value, label: `${value} days` }))}
                value={search.days}
                onChange={(days) => setSearch({ days })}
              />
              <ExportMenu route="usage" span={span} accountId={accountId} />
            </>
          )
        }
      />
      <div aria-busy={loading}>
        {!isOffered && (
          <NotOffered what="usage reports">
            Ask the operator, or add up the <code>usage</code> values in the responses you receive.
          </NotOffered>
        )}
        {!usage.ok && isOffered && <ErrorPanel error={usage.error} onRetry={() => router.refresh()} />}
        {usage.ok && usage.data.sums.byDay.length === 0 && (
          <EmptyState
            title={`No usage in the last ${search.days} days`}
            body="Runs from this console and from your programs appear here within seconds."
            action={<LinkButton href="/catalog">Open the catalog</LinkButton>}
          />
        )}
        {usage.ok && usage.data.sums.byDay.length > 0 && (
          <UsageReport
            {...usage.data}
            byMetadata={byMetadata}
            span={span}
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
