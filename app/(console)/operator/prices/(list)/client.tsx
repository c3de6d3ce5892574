"use client";

import { parseAsString, useQueryState } from "nuqs";
import type { Price } from "#contract/operator/prices.ts";
import { PricesTable } from "@/components/operator/prices/prices-table";
import { LinkButton } from "@/components/ui/button";
import { Input } from "@/components/ui/form/input";
import { FilterBar } from "@/components/ui/list/filter-bar";
import { EmptyState } from "@/components/ui/page/empty-state";
import { Section } from "@/components/ui/page/section";
import { labelPlace } from "@/lib/operator/prices/scope";
import { kindLabel } from "@/lib/operator/provider-labels";

interface PricesClientProps {
  prices: readonly Price[];
  accountNames: Readonly<Record<string, string>>;
}

/** Current and scheduled prices. Past versions are on each price's page. */
export function PricesClient({ prices, accountNames }: PricesClientProps) {
  const [q, setQ] = useQueryState("q", parseAsString.withDefault(""));
  const wanted = q.trim().toLowerCase();
  const shown = prices.filter((price) =>
    [
      price.model,
      kindLabel(price.api_type),
      labelPlace(price),
      price.account_id ? (accountNames[price.account_id] ?? price.account_id) : "",
    ].some((word) => word.toLowerCase().includes(wanted)),
  );
  if (prices.length === 0)
    return (
      <EmptyState
        className="mb-8"
        title="No prices yet"
        body="Set one, paste them from a spreadsheet, or import the list of LiteLLM or OpenRouter. Until then runs are not priced."
        action={
          <LinkButton variant="primary" href="/operator/prices/set">
            Set first price
          </LinkButton>
        }
      />
    );
  return (
    <Section title="Current and scheduled prices">
      <FilterBar
        active={Number(wanted !== "")}
        onClear={() => void setQ(null)}
        summary={`${shown.length} of ${prices.length} prices`}
      >
        <Input
          type="search"
          aria-label="Search prices"
          placeholder="Model, provider or account"
          className="max-w-64 max-tablet:max-w-none"
          value={q}
          onChange={(event) => void setQ(event.currentTarget.value)}
        />
      </FilterBar>
      <PricesTable label="Prices" prices={shown} accountNames={accountNames} />
    </Section>
  );
}
