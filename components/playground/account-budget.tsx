"use client";

import { useQuery } from "@tanstack/react-query";
import { fetchRoute } from "@/lib/browser/gateway";
import { queryKeys } from "@/lib/query-keys";
import { budgetLeft } from "@/lib/usage/budget-left";

/** How long the budget is cached, so that not every visit requests it. Runs refresh it. */
const keptMs = 30_000;

/** The amount that the account can still spend. Shows nothing if it is unlimited or unknown. */
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
