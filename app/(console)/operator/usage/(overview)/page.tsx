import { Scale } from "lucide-react";
import type { Metadata } from "next";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { createLoader } from "nuqs/server";
import { OperatorUsageReport } from "@/components/operator/usage/operator-usage-report";
import { LinkButton } from "@/components/ui/button";
import { LoadFailure } from "@/components/ui/page/load-failure";
import { PageHeader } from "@/components/ui/page/page-header";
import { ExportMenu } from "@/components/usage/export-menu";
import type { RouteProps } from "@/lib/page-props";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";
import { utcDay } from "@/lib/usage/summary";
import { operatorUsageSearch } from "../search-params.ts";
import { SpanChoice } from "./span-choice.tsx";

export const metadata: Metadata = { title: "Usage of all accounts" };

const loadSearch = createLoader(operatorUsageSearch);

/** What all accounts used: what it cost, what they pay, and what has no price. */
export default async function OperatorUsagePage({ searchParams }: RouteProps) {
  const { accountId } = await requireSession();
  const { days } = await loadSearch(searchParams);
  const nowMs = Date.now();
  const span = { from: utcDay(nowMs, Number(days) - 1), to: utcDay(nowMs) };
  const by = (group_by: string) => requestRoute("GET /operator/usage", { query: { ...span, group_by } });
  const [accounts, models, providers, byDay] = await Promise.all([
    by("account"),
    by("model"),
    by("provider"),
    by("day"),
  ]);
  return (
    <>
      <PageHeader
        title="Usage of all accounts"
        description="What runs cost you, what accounts pay for them, and what has no price. Days are in UTC."
        actions={
          <>
            <NuqsAdapter>
              <SpanChoice />
            </NuqsAdapter>
            <LinkButton href="/operator/usage/bill" icon={<Scale size={16} aria-hidden />}>
              Compare with a bill
            </LinkButton>
            <ExportMenu route="operator/usage" span={span} accountId={accountId} />
          </>
        }
      />
      {accounts.ok && models.ok && providers.ok && byDay.ok ? (
        <OperatorUsageReport
          total={accounts.data.total}
          accounts={accounts.data.data}
          models={models.data.data}
          providers={providers.data.data}
          byDay={byDay.data.data}
          span={span}
        />
      ) : (
        [accounts, models, providers, byDay]
          .filter((answer) => !answer.ok)
          .slice(0, 1)
          .map((answer) => answer.ok || <LoadFailure key="failure" error={answer.error} />)
      )}
    </>
  );
}
