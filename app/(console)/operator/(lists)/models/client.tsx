"use client";

import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { Badge, StatusPill } from "@/components/ui/badge";
import { Input } from "@/components/ui/form/input";
import { FilterBar, FilterSelect } from "@/components/ui/list/filter-bar";
import { RowLink, Table, Td, Th, Tr } from "@/components/ui/list/table";
import { formatCount } from "@/lib/format";
import type { ModelRow } from "@/lib/operator/model-row";
import { kindLabel } from "@/lib/operator/provider-labels";
import { visibilityLook } from "@/lib/status/operator";

const filters = {
  q: parseAsString.withDefault(""),
  managed_by: parseAsStringLiteral(["operator", "specification"]),
};

/** All catalog entries. The address contains the filters. */
export function ModelsClient({ models }: { models: readonly ModelRow[] }) {
  const [{ q, managed_by }, set] = useQueryStates(filters);
  const wanted = q.trim().toLowerCase();
  const shown = models.filter(
    (model) =>
      (managed_by === null || model.managed_by === managed_by) &&
      [
        model.id,
        model.display_name ?? "",
        model.from,
        ...model.apiTypes,
        ...model.apiTypes.map(kindLabel),
      ].some((word) => word.toLowerCase().includes(wanted)),
  );
  const noneOfOnesOwn = !models.some((model) => model.managed_by === "operator");
  return (
    <>
      {noneOfOnesOwn && (
        <p className="mb-4 max-w-[90ch] text-muted">
          No models of your own yet. Add one from a provider: its form comes from the model’s schema, and your
          gates, budgets and logs apply to it.
        </p>
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
          label="Origin"
          any="All models"
          value={managed_by ?? ""}
          options={[
            { value: "operator", label: "Your own" },
            { value: "specification", label: "Built-in" },
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

function ModelsTable({ models }: { models: readonly ModelRow[] }) {
  return (
    <Table label="Models">
      <thead>
        <tr>
          <Th>Model</Th>
          <Th>Kind</Th>
          <Th>From</Th>
          <Th>Visible to</Th>
          <Th numeric from="desktop">
            Revision
          </Th>
        </tr>
      </thead>
      <tbody>
        {models.map((model) => (
          <ModelTableRow key={model.id} model={model} />
        ))}
      </tbody>
    </Table>
  );
}

function ModelTableRow({ model }: { model: ModelRow }) {
  const { id, display_name, managed_by, running_predictions: running, apiTypes, revision } = model;
  const look = visibilityLook(model);
  const kinds = apiTypes.map(kindLabel).join(", ");
  return (
    <Tr>
      <Td className="max-w-80">
        <RowLink href={`/operator/models/${id}`} className="block wrap-anywhere">
          {display_name ?? id}
        </RowLink>
        {display_name && <span className="block font-mono text-meta text-muted wrap-anywhere">{id}</span>}
      </Td>
      <Td label="Kind">{kinds}</Td>
      <Td className="max-w-72 text-muted wrap-anywhere" label="From">
        {managed_by === "specification" ? <Badge>Built-in</Badge> : model.from}
      </Td>
      <Td>
        <StatusPill {...look} title={look.meaning} />
        {model.state === "leaving" && (
          <span className="block text-meta text-muted">{formatCount(running, "prediction")} running</span>
        )}
      </Td>
      <Td numeric from="desktop" label="Revision">
        {revision ?? "–"}
      </Td>
    </Tr>
  );
}
