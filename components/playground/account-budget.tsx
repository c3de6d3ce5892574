"use client";

import { useQuery } from "@tanstack/react-query";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { queryKeys } from "@/lib/query-keys";
import { budgetLeft } from "@/lib/usage/budget-left";

/** Long enough not to ask on every visit; runs refresh it. */
const keptMs = 30_000;

/** What the account can still spend; nothing if unlimited or unknown. */
export function AccountBudget() {
  const { data } = useQuery({
    queryKey: queryKeys.accountBudgets(),
    queryFn: ({ signal }) => fetchRoute("GET /account/budgets", { signal }),
    staleTime: keptMs,
    retry: false,
  });
  const left = data && budgetLeft(data);
  return left && <span className={left.isSpent ? "text-bad" : undefined}>{left.label}</span>;
}
