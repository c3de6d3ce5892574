import type { Metadata } from "next";
import { createLoader } from "nuqs/server";
import type { RouteProps } from "@/lib/page-props";
import { listKeys, listUsage } from "@/lib/server/gateway/account";
import { requireSession } from "@/lib/server/session";
import { utcDay } from "@/lib/usage/summary";
import { UsageClient } from "./client";
import { usageSearch } from "./search-params";

const loadSearch = createLoader(usageSearch);

export const metadata: Metadata = { title: "Usage" };

const mostKeys = 100;

export default async function UsagePage({ searchParams }: RouteProps) {
  await requireSession();
  const { days } = await loadSearch(searchParams);
  const nowMs = Date.now();
  const span = { from: utcDay(nowMs, Number(days) - 1), to: utcDay(nowMs) };
  const [usage, keys] = await Promise.all([listUsage(span), listKeys({ limit: mostKeys })]);
  const keyNames = keys.ok ? Object.fromEntries(keys.data.data.map((key) => [key.id, key.name])) : {};
  return <UsageClient usage={usage} span={span} keyNames={keyNames} />;
}
