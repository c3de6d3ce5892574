import "server-only";
import type { UsageRow } from "#contract/usage.ts";
import type { UsageSums } from "@/components/usage/usage-report";
import type { GatewayResult } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";
import { type Forecast, forecastFrom, forecastOf } from "@/lib/usage/forecast";
import { money, totalsBy, utcDay } from "@/lib/usage/summary";

/** UTC dates, all included. */
export interface UsageSpan {
  from: string;
  to: string;
  beforeFrom: string;
  beforeTo: string;
}

export interface UsageRead {
  sums: UsageSums;
  forecast: Forecast | null;
  currency: string;
}

/** The days until today, and as many before them. */
export function usageSpan(days: number, nowMs: number): UsageSpan {
  return {
    from: utcDay(nowMs, days - 1),
    to: utcDay(nowMs),
    beforeFrom: utcDay(nowMs, 2 * days - 1),
    beforeTo: utcDay(nowMs, days),
  };
}

/** Every list is summed by the gateway, so that all of them add up to the same. The first failure of any. */
export async function readUsage(span: UsageSpan, nowMs: number): Promise<GatewayResult<UsageRead>> {
  const { from, to, beforeFrom, beforeTo } = span;
  const by = (group_by: string, between = { from, to }) =>
    requestRoute("GET /usage", { query: { ...between, group_by } });
  const [byDay, byModel, byKey, byProvider, byBatch, before, month] = await Promise.all([
    by("day"),
    by("model"),
    by("key"),
    by("provider"),
    by("batch"),
    by("day", { from: beforeFrom, to: beforeTo }),
    by("day", { from: forecastFrom(nowMs), to }),
  ]);
  for (const answer of [byDay, byModel, byKey, byProvider, byBatch, before, month])
    if (!answer.ok) return answer;
  const rowsOf = (answer: typeof byDay): UsageRow[] => (answer.ok ? answer.data.data : []);
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
