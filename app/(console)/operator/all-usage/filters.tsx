"use client";

import { useQueryStates } from "nuqs";
import type { OperatorUsageRow } from "#contract/operator/usage.ts";
import { useWords } from "#words";
import { FilterBar, FilterSelect } from "@/components/ui/list/filter-bar";
import { DaysChoice, TimeFilters } from "@/components/usage/time-filters";
import { operatorFilterNames, operatorUsageSearch } from "./search-params.ts";

const options = { history: "push", shallow: false } as const;

export function SpanChoice() {
  const [search, set] = useQueryStates(operatorUsageSearch, options);
  return <DaysChoice search={search} onChange={(time) => void set(time)} />;
}

interface OperatorUsageFiltersProps {
  months: readonly { value: string; label: string }[];
  modelIds: readonly string[];
  accounts: readonly OperatorUsageRow[];
  providers: readonly OperatorUsageRow[];
  /** Keys of the chosen account. Empty if no account is chosen. */
  keys: readonly OperatorUsageRow[];
}

/**
 * Filters of the usage: a period, the accounts and providers used in that period, and the keys and members of
 * the chosen account.
 */
export function OperatorUsageFilters({
  months,
  modelIds,
  accounts,
  providers,
  keys,
}: OperatorUsageFiltersProps) {
  const t = useWords("operatorUsage");
  const [search, set] = useQueryStates(operatorUsageSearch, options);
  const names = new Map(accounts.map(({ account_id: id = "", account_name: name }) => [id, name ?? id]));
  const idsOf = (ids: readonly (string | null | undefined)[], chosen: string) =>
    [...new Set([...ids, chosen])].flatMap((id) => (id ? { value: id, label: id } : []));
  const keyIds = idsOf(
    keys.map(({ key_id: id }) => id),
    search.key_id,
  );
  const userIds = idsOf(
    keys.map(({ user_id: id }) => id),
    search.user_id,
  );
  return (
    <FilterBar
      active={operatorFilterNames.filter((name) => search[name] !== "").length}
      onClear={() => void set(Object.fromEntries(operatorFilterNames.map((name) => [name, ""])))}
    >
      <TimeFilters search={search} months={months} onChange={(time) => void set(time)} />
      <FilterSelect
        label={t("account")}
        any={t("anyAccount")}
        value={search.account_id}
        options={idsOf([...names.keys()], search.account_id).map(({ value }) => ({
          value,
          label: names.get(value) ?? value,
        }))}
        // Keys and members belong to one account, so an account must be chosen.
        onChange={(account_id) => void set({ account_id, key_id: "", user_id: "" })}
      />
      <FilterSelect
        label={t("model")}
        any={t("anyModel")}
        value={search.model}
        options={idsOf(modelIds, search.model)}
        onChange={(model) => void set({ model })}
      />
      <FilterSelect
        label={t("provider")}
        any={t("anyProvider")}
        value={search.provider}
        options={idsOf(
          providers.map(({ provider }) => provider),
          search.provider,
        )}
        onChange={(provider) => void set({ provider })}
      />
      {keyIds.length > 0 && (
        <FilterSelect
          label={t("key")}
          any={t("anyKey")}
          value={search.key_id}
          options={keyIds}
          onChange={(key_id) => void set({ key_id })}
        />
      )}
      {userIds.length > 0 && (
        <FilterSelect
          label={t("member")}
          any={t("anyMember")}
          value={search.user_id}
          options={userIds}
          onChange={(user_id) => void set({ user_id })}
        />
      )}
    </FilterBar>
  );
}
