"use client";

import { useQueryStates } from "nuqs";
import { ModelsTable } from "@/components/operator/models/models-table";
import { LinkButton } from "@/components/ui/button";
import { Input } from "@/components/ui/form/input";
import { FilterBar } from "@/components/ui/list/filter-bar";
import { FilterSelect } from "@/components/ui/list/filter-select";
import { EmptyState } from "@/components/ui/page/empty-state";
import type { ModelRow } from "@/lib/operator/model-row";
import { kindWord } from "@/lib/operator/provider-words";
import { ownModelsSearchParams } from "../search-params.ts";

/** All entries; the filters stand in the address. */
export function ModelsClient({ models }: { models: readonly ModelRow[] }) {
  const [{ q, managed_by }, set] = useQueryStates(ownModelsSearchParams);
  const wanted = q.trim().toLowerCase();
  const shown = models.filter(
    (model) =>
      (managed_by === null || model.managed_by === managed_by) &&
      [
        model.id,
        model.display_name ?? "",
        model.from,
        ...model.apiTypes,
        ...model.apiTypes.map(kindWord),
      ].some((word) => word.toLowerCase().includes(wanted)),
  );
  const noneOfOnesOwn = !models.some((model) => model.managed_by === "operator");
  return (
    <>
      {noneOfOnesOwn && (
        <EmptyState
          className="mb-6"
          drawing="frames"
          title="No models of your own yet"
          body="Import one from a provider. Its form comes from its own schema; your gates, budgets and logs apply."
          action={
            <LinkButton variant="primary" href="/operator/models/new">
              Import first model
            </LinkButton>
          }
        />
      )}
      <FilterBar
        active={Number(wanted !== "") + Number(managed_by !== null)}
        onClear={() => void set({ q: null, managed_by: null })}
        summary={`${shown.length} of ${models.length} models`}
      >
        <Input
          type="search"
          aria-label="Search models"
          placeholder="Name, kind or source"
          className="max-w-64 max-tablet:max-w-none"
          value={q}
          onChange={(event) => void set({ q: event.currentTarget.value })}
        />
        <FilterSelect
          label="Whose"
          any="All models"
          value={managed_by ?? ""}
          options={[
            { value: "operator", label: "Your own" },
            { value: "specification", label: "Of the specification" },
          ]}
          onChange={(value) =>
            void set({ managed_by: value === "operator" || value === "specification" ? value : null })
          }
        />
      </FilterBar>
      <ModelsTable models={shown} />
    </>
  );
}
