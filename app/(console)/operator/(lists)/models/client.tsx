"use client";

import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useWords } from "#words";
import { Badge, StatusPill } from "@/components/ui/badge";
import { Input } from "@/components/ui/form/input";
import { FilterBar, FilterSelect } from "@/components/ui/list/filter-bar";
import { RowLink, Table, Td, Th, Tr } from "@/components/ui/list/table";
import type { ModelRow } from "@/lib/operator/model-row";
import { kindsText } from "@/lib/operator/provider-labels";
import { visibilityLook } from "@/lib/status/operator";

const filters = {
  q: parseAsString.withDefault(""),
  managed_by: parseAsStringLiteral(["operator", "specification"]),
};

/** All catalog entries. The address contains the filters. */
export function ModelsClient({ models }: { models: readonly ModelRow[] }) {
  const t = useWords("operatorModels");
  const shared = useWords("operator");
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
        kindsText(shared, model.apiTypes),
      ].some((word) => word.toLowerCase().includes(wanted)),
  );
  const noneOfOnesOwn = !models.some((model) => model.managed_by === "operator");
  return (
    <>
      {noneOfOnesOwn && <p className="mb-4 max-w-[90ch] text-muted">{t("noModelsOfYourOwn")}</p>}
      <FilterBar
        active={Number(wanted !== "") + Number(managed_by !== null)}
        onClear={() => void set({ q: null, managed_by: null })}
        summary={t("shownOf", { shown: shown.length, all: models.length })}
      >
        <Input
          type="search"
          aria-label={t("searchModels")}
          placeholder={t("nameKindOrSource")}
          className="max-w-64 max-tablet:max-w-none"
          value={q}
          onChange={(event) => void set({ q: event.currentTarget.value })}
        />
        <FilterSelect
          label={t("origin")}
          any={t("allModels")}
          value={managed_by ?? ""}
          options={[
            { value: "operator", label: t("yourOwn") },
            { value: "specification", label: t("builtIn") },
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
  const t = useWords("operatorModels");
  return (
    <Table label={t("models")}>
      <thead>
        <tr>
          <Th>{t("model")}</Th>
          <Th>{t("kind")}</Th>
          <Th>{t("from")}</Th>
          <Th>{t("visibleTo")}</Th>
          <Th numeric from="desktop">
            {t("revision")}
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
  const t = useWords("operatorModels");
  const shared = useWords("operator");
  const { id, display_name, managed_by, running_predictions: running, apiTypes, revision } = model;
  const look = visibilityLook(shared, model);
  const kinds = kindsText(shared, apiTypes);
  return (
    <Tr>
      <Td className="max-w-80">
        <RowLink href={`/operator/models/${id}`} className="block wrap-anywhere">
          {display_name ?? id}
        </RowLink>
        {display_name && <span className="block font-mono text-meta text-muted wrap-anywhere">{id}</span>}
      </Td>
      <Td label={t("kind")}>{kinds}</Td>
      <Td className="max-w-72 text-muted wrap-anywhere" label={t("from")}>
        {managed_by === "specification" ? <Badge>{t("builtIn")}</Badge> : model.from}
      </Td>
      <Td>
        <StatusPill {...look} title={look.meaning} />
        {model.state === "leaving" && (
          <span className="block text-meta text-muted">{t("predictionsRunning", { count: running })}</span>
        )}
      </Td>
      <Td numeric from="desktop" label={t("revision")}>
        {revision ?? "–"}
      </Td>
    </Tr>
  );
}
