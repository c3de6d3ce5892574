import { Scale } from "lucide-react";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { createLoader } from "nuqs/server";
import type { OperatorPromptCacheGroup } from "#contract/operator/usage.ts";
import { headOf, page, titleOf } from "@/app/console-page";
import { OperatorUsageReport } from "@/components/operator/usage/operator-usage-report";
import { LinkButton } from "@/components/ui/button";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import { ExportMenu } from "@/components/usage/export-menu";
import { PromptCache } from "@/components/usage/prompt-cache";
import { getModels } from "@/lib/server/gateway/reads";
import { recentMonths, usageSpan } from "@/lib/usage/span";
import { OperatorUsageFilters, SpanChoice } from "./filters.tsx";
import { type OperatorFilter, operatorFilterNames, operatorUsageSearch } from "./search-params.ts";

const head = headOf({ title: "allUsage", parts: ["operatorUsage", "usage"] });

export const generateMetadata = titleOf(head);

const loadSearch = createLoader(operatorUsageSearch);

/** Usage of all accounts: cost, revenue, and runs without a price. */
export default page(head, async ({ t, session: { accountId }, search: given, requestRoute }) => {
  const search = loadSearch(given);
  const nowMs = Date.now();
  const { from, to } = usageSpan(search, nowMs);
  const span = { from, to };
  const filter: OperatorFilter = Object.fromEntries(
    operatorFilterNames.flatMap((name) => (search[name] === "" ? [] : [[name, search[name]]])),
  );
  const by = (group_by: string) =>
    requestRoute("GET /operator/usage", { query: { ...span, ...filter, group_by } });
  const [accounts, models, providers, byDay, keys] = await Promise.all([
    by("account"),
    by("model"),
    by("provider"),
    by("day"),
    // All accounts together have too many keys to list, and their ids mean nothing to the reader.
    filter.account_id === undefined ? null : by("key"),
  ]);
  const cacheBy = (group_by: OperatorPromptCacheGroup) =>
    requestRoute("GET /operator/usage/cache", { query: { ...span, ...filter, group_by } });
  const [cachedModels, cachedAccounts, cachedProviders, cachedKeys] = await Promise.all([
    cacheBy("model"),
    cacheBy("account"),
    cacheBy("provider"),
    cacheBy("upstream_key"),
  ]);
  const catalog = await getModels();
  return (
    <>
      <PageHeader
        title={t("allUsage")}
        description={t("theCostOfRunsAnd")}
        actions={
          <>
            <NuqsAdapter>
              <SpanChoice />
            </NuqsAdapter>
            <LinkButton href="/operator/all-usage/bill" icon={<Scale size={16} aria-hidden />}>
              {t("compareWithABill")}
            </LinkButton>
            <ExportMenu route="operator/usage" span={span} filter={filter} accountId={accountId} />
          </>
        }
      />
      <NuqsAdapter>
        <OperatorUsageFilters
          months={recentMonths(t.language, nowMs)}
          modelIds={catalog.ok ? catalog.data.data.map(({ id }) => id) : []}
          accounts={accounts.ok ? accounts.data.data : []}
          providers={providers.ok ? providers.data.data : []}
          keys={keys?.ok ? keys.data.data : []}
        />
      </NuqsAdapter>
      {accounts.ok && models.ok && providers.ok && byDay.ok ? (
        <OperatorUsageReport
          total={accounts.data.total}
          accounts={accounts.data.data}
          models={models.data.data}
          providers={providers.data.data}
          byDay={byDay.data.data}
          keys={keys?.ok ? keys.data.data : []}
          span={span}
          filter={filter}
        />
      ) : (
        [accounts, models, providers, byDay]
          .filter((answer) => !answer.ok)
          .slice(0, 1)
          .map((answer) => answer.ok || <LoadFailure key="failure" error={answer.error} />)
      )}
      {cachedModels.ok && (
        <PromptCache
          lists={{
            model: cachedModels.data,
            ...(cachedAccounts.ok && { account: cachedAccounts.data }),
            ...(cachedProviders.ok && { provider: cachedProviders.data }),
            ...(cachedKeys.ok && { upstream_key: cachedKeys.data }),
          }}
          keyNames={{}}
        />
      )}
    </>
  );
});
