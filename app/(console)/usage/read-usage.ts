import "server-only";
import {
  type PromptCacheGroup,
  type PromptCacheList,
  promptCacheGroups,
  type UsageRow,
} from "#contract/usage.ts";
import type { UsageSums } from "@/components/usage/usage-report";
import type { GatewayResult } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";
import { type Forecast, forecastFrom, forecastOf } from "@/lib/usage/forecast";
import type { UsageSpan } from "@/lib/usage/span";
import { money, totalsBy, utcDay } from "@/lib/usage/summary";

export interface UsageRead {
  sums: UsageSums;
  forecast: Forecast | null;
  currency: string;
}

/** The filters of the usage. An empty text does not filter. */
export type UsageFilter = Partial<Record<"model" | "key_id" | "user_id" | "provider" | "metadata", string>>;

/**
 * Reads all lists with sums that the gateway computed, so that their totals agree. Returns the first failure
 * if there is one.
 */
export async function readUsage(
  span: UsageSpan,
  filter: UsageFilter,
  nowMs: number,
): Promise<GatewayResult<UsageRead>> {
  const { from, to, beforeFrom, beforeTo } = span;
  const by = (group_by: string, between = { from, to }) =>
    requestRoute("GET /usage", { query: { ...filter, ...between, group_by } });
  // Sums of one metadata value can only be split by day and model.
  const rest = (group_by: string) => (filter.metadata ? null : by(group_by));
  const [byDay, byModel, byKey, byProvider, byBatch, before, month] = await Promise.all([
    by("day"),
    by("model"),
    rest("key"),
    rest("provider"),
    rest("batch"),
    by("day", { from: beforeFrom, to: beforeTo }),
    by("day", { from: forecastFrom(nowMs), to: utcDay(nowMs) }),
  ]);
  for (const answer of [byDay, byModel, byKey, byProvider, byBatch, before, month])
    if (answer && !answer.ok) return answer;
  const rowsOf = (answer: typeof byKey): UsageRow[] => (answer?.ok ? answer.data.data : []);
  return {
    ok: true,
    data: {
      sums: {
        byDay: rowsOf(byDay),
        byModel: rowsOf(byModel),
        byKey: rowsOf(byKey),
        byProvider: rowsOf(byProvider),
        byBatch: rowsOf(byBatch),
        before: rowsOf(before),
      },
      forecast: forecastOf(
        totalsBy(rowsOf(month), money, ({ day }) => day ?? ""),
        nowMs,
      ),
      currency: byDay.ok ? byDay.data.total.cost.currency : "",
    },
  };
}

/**
 * The use of the providers' caches by each grouping. Null for one metadata value, whose sums do not have it, and
 * if it cannot be read: the rest of the page is shown all the same.
 */
export async function readCaches(
  { from, to }: UsageSpan,
  { metadata, ...filter }: UsageFilter,
): Promise<Record<PromptCacheGroup, PromptCacheList> | null> {
  if (metadata) return null;
  const lists = await Promise.all(
    promptCacheGroups.map(async (group_by) => {
      const answer = await requestRoute("GET /usage/cache", { query: { ...filter, from, to, group_by } });
      return answer.ok ? ([[group_by, answer.data]] as const) : [];
    }),
  );
  const found = lists.flat();
  return found.length === promptCacheGroups.length
    ? (Object.fromEntries(found) as Record<PromptCacheGroup, PromptCacheList>)
    : null;
}
