"use client";

import { ChevronDown, Search, TriangleAlert } from "lucide-react";
import { useQueryStates } from "nuqs";
import { useId, useRef, useState } from "react";
import { useWords } from "#words";
import {
  type FacetOption,
  facetLabel,
  facetLabels,
  facetNames,
  facetOptions,
  filterRows,
  kindLabel,
  wantedOperation,
} from "@/components/catalog/facets";
import { GateBadges, ModalityIcon } from "@/components/catalog/model-badges";
import {
  type CatalogCard,
  type CatalogRow,
  catalogOrders,
  inOrder,
  kindsByInterest,
  maxCompared,
  playgroundOf,
} from "@/components/catalog/row";
import { catalogSearchParams } from "@/components/catalog/search-params";
import { usePreferences } from "@/components/shell/preferences";
import { placeBeside } from "@/components/ui/anchored-position";
import { Button, LinkButton } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/form/checkbox";
import { Input } from "@/components/ui/form/input";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { FilterBar, FilterSelect } from "@/components/ui/list/filter-bar";
import { RowAnchor } from "@/components/ui/list/row-anchor";
import { RowControls, RowLink, Table, Td, Th, Tr } from "@/components/ui/list/table";
import { EmptyState } from "@/components/ui/page/empty-state";
import { PageHeader } from "@/components/ui/page/page-header";
import { formatDuration } from "@/lib/format";
import { listText } from "@/lib/words/list-text";
import type { Words } from "@/messages/words";

interface CatalogClientProps {
  rows: CatalogCard[];
  /** Whether all models run only in the sandbox. */
  costsNothing: boolean;
}

/** Search and filters over all entries. All entries are loaded, so filtering makes no requests. */
export function CatalogClient({ rows, costsNothing }: CatalogClientProps) {
  const t = useWords("catalog");
  const [filters, setFilters] = useQueryStates(catalogSearchParams, { history: "replace" });
  const shown = inOrder(filterRows(rows, filters.q, filters), filters.sort);
  const tryOf = (row: CatalogRow) => playgroundOf(row, wantedOperation(row, filters.q, filters));
  const active = facetNames.filter((facet) => filters[facet].length > 0).length + (filters.q ? 1 : 0);
  const clear = () => setFilters(null);
  const ticks = useComparison();
  const { preferences, change } = usePreferences();
  const Models = preferences.catalog === "table" ? CatalogTable : CatalogGallery;

  return (
    <>
      <PageHeader
        title={t("catalog")}
        description={t(costsNothing ? "allModelsCostNothing" : "allModelsOnThisGateway")}
        actions={
          <RadioGroup
            hideLegend
            legend={t("view")}
            appearance="segments"
            value={preferences.catalog}
            onChange={(catalog) => change({ catalog })}
            options={[
              { value: "gallery", label: t("gallery") },
              { value: "table", label: t("table") },
            ]}
          />
        }
      />
      <div className="flex flex-wrap items-start gap-x-2">
        <span className="relative mb-3 w-full tablet:w-72">
          <Search size={15} aria-hidden className="absolute top-1/2 left-2.5 -translate-y-1/2 text-muted" />
          <Input
            type="search"
            aria-label={t("searchModels")}
            placeholder={t("nameOrTask")}
            value={filters.q}
            onChange={(event) => setFilters({ q: event.target.value })}
            className="pl-8! text-table!"
          />
        </span>
        <div className="min-w-0 flex-1">
          <FilterBar
            active={active}
            onClear={clear}
            actions={
              ticks.ids.length > 1 && (
                <LinkButton variant="primary" href={`/catalog/compare?ids=${ticks.ids.join(",")}`}>
                  {t("compareCount", { count: ticks.ids.length })}
                </LinkButton>
              )
            }
            summary={
              shown.length === rows.length
                ? t("countModels", { count: rows.length })
                : t("shownOfCount", { shown: shown.length, count: rows.length })
            }
          >
            <FilterSelect
              label={t("order")}
              any={t("order.suggested")}
              value={filters.sort === "suggested" ? "" : filters.sort}
              options={catalogOrders
                .filter((value) => value !== "suggested")
                .map((value) => ({ value, label: t(`order.${value}`) }))}
              onChange={(sort) =>
                setFilters({ sort: (sort || "suggested") as (typeof catalogOrders)[number] })
              }
            />
            {facetNames
              // The kinds below say it already, unless a link asks for it.
              .filter(
                (facet) => facet !== "api_type" && (facet !== "modality" || filters.modality.length > 0),
              )
              .map((facet) => (
                <FacetMenu
                  key={facet}
                  label={t(facetLabels[facet])}
                  options={facetOptions(rows, facet, filters.q, filters)}
                  chosen={filters[facet]}
                  onChange={(values) => setFilters({ [facet]: values })}
                />
              ))}
          </FilterBar>
        </div>
      </div>
      <Kinds
        options={facetOptions(rows, "api_type", filters.q, filters)}
        chosen={filters.api_type}
        onChange={(values) => setFilters({ api_type: values })}
      />
      {shown.length > 0 ? (
        <Models rows={shown} ticks={ticks} tryOf={tryOf} />
      ) : (
        <EmptyState
          drawing="frames"
          title={t("noModelsFound")}
          body={t("noModelMatchesTheSearch")}
          action={<Button onClick={clear}>{t("clearFilters")}</Button>}
        />
      )}
    </>
  );
}

interface KindsProps {
  options: readonly FacetOption[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** What models make, each with its number of models. On a phone they are one line that scrolls. */
function Kinds({ options, chosen, onChange }: KindsProps) {
  const t = useWords("catalog");
  const place = ({ value }: FacetOption) => kindsByInterest.indexOf(value);
  const kinds = options.toSorted((one, other) => place(one) - place(other));
  return (
    <ul
      aria-label={t("kinds")}
      className="-mx-4 mb-4 flex gap-1.5 overflow-x-auto px-4 py-1 tablet:mx-0 tablet:flex-wrap tablet:px-0"
    >
      {[null, ...kinds].map((kind) => {
        const isChosen = kind ? chosen.includes(kind.value) : chosen.length === 0;
        return (
          <li key={kind?.value ?? ""} className="shrink-0">
            <button
              type="button"
              aria-pressed={isChosen}
              onClick={() => onChange(kind && !isChosen ? [kind.value] : [])}
              className="inline-flex min-h-8 items-center gap-1.5 rounded-full border bg-panel px-3 text-table font-medium hover:border-strong aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent pointer-coarse:min-h-11 pointer-coarse:min-w-11 pointer-coarse:justify-center"
            >
              {kind ? kindLabel(kind.value, t) : t("allKinds")}
              {kind && <span className="tabular font-normal text-muted">{kind.count}</span>}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** The models that the user ticked for comparison. */
function useComparison() {
  const [ids, setIds] = useState<readonly string[]>([]);
  const has = (id: string) => ids.includes(id);
  return {
    ids,
    has,
    canTick: (id: string) => has(id) || ids.length < maxCompared,
    toggle: (id: string) => setIds(has(id) ? ids.filter((other) => other !== id) : [...ids, id]),
  };
}

type ComparisonTicks = ReturnType<typeof useComparison>;

interface ModelsProps {
  rows: readonly CatalogCard[];
  ticks: ComparisonTicks;
  /** The playground that fits the search. */
  tryOf: (row: CatalogRow) => string;
}

function CatalogTable({ rows, ticks, tryOf }: ModelsProps) {
  const t = useWords("catalog");
  return (
    <Table label={t("models")}>
      <thead>
        <tr>
          <Th className="w-9">
            <span className="sr-only">{t("compare")}</span>
          </Th>
          <Th>{t("model")}</Th>
          <Th>{t("operations")}</Th>
          <Th>{t("execution")}</Th>
          <Th from="wide">{t("price")}</Th>
          <Th from="wide">{t("regions")}</Th>
          <Th>{t("gates")}</Th>
          <Th>
            <span className="sr-only">{t("actions")}</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Tr key={row.id}>
            <Td className="pr-0!" data-box>
              <RowControls>
                <Checkbox
                  hideLabel
                  label={t("compareId", { id: row.id })}
                  checked={ticks.has(row.id)}
                  disabled={!ticks.canTick(row.id)}
                  onChange={() => ticks.toggle(row.id)}
                />
              </RowControls>
            </Td>
            <Td>
              <span className="flex items-center gap-2">
                <ModalityIcon modality={row.modality} />
                <RowLink href={`/catalog/${row.id}`} className="font-mono whitespace-nowrap">
                  {row.displayName ?? row.id}
                </RowLink>
                {row.displayName && <span className="font-mono text-meta text-muted">{row.id}</span>}
                <span className="sr-only">{facetLabel(row.modality, t)}</span>
              </span>
            </Td>
            <Td className="min-w-44" label={t("operations")}>
              {listText(t.language, row.apiTypes, "plain")}
            </Td>
            <Td className="whitespace-nowrap" label={t("execution")}>
              {listText(
                t.language,
                row.executionModes.map((mode) => facetLabel(mode, t)),
                "plain",
              )}
            </Td>
            <Td from="wide" label={t("price")}>
              {row.price ?? t("perUnit", { unit: billedPer(t, row) })}
            </Td>
            <Td from="wide" label={t("regions")}>
              <RegionSummary regions={row.regions} healthy={row.healthyRegions} />
            </Td>
            <Td>
              <GateBadges gates={row.gates} short />
            </Td>
            <Td className="text-right">
              <RowControls>
                <LinkButton size="sm" href={tryOf(row)} aria-label={t("tryId", { id: row.id })}>
                  {t("try")}
                </LinkButton>
              </RowControls>
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}

interface RegionSummaryProps {
  regions: readonly string[];
  healthy: readonly string[];
}

/** The regions of an entry, with the number of unhealthy ones, or that it has no route. */
function RegionSummary({ regions, healthy }: RegionSummaryProps) {
  const t = useWords("catalog");
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      {regions.length > 2 ? (
        <span title={listText(t.language, regions, "plain")}>
          {regions[0]} <span className="text-muted">+{regions.length - 1}</span>
        </span>
      ) : (
        listText(t.language, regions, "plain")
      )}
      <RegionTrouble regions={regions} healthy={healthy} />
    </span>
  );
}

/** Shows nothing while all regions of an entry are healthy. */
function RegionTrouble({ regions, healthy }: RegionSummaryProps) {
  const t = useWords("catalog");
  const troubled = regions.filter((region) => !healthy.includes(region)).length;
  const trouble =
    regions.length === 0
      ? t("noRoute")
      : troubled === regions.length
        ? t("noneHealthy")
        : troubled > 0 && t("countUnhealthy", { count: troubled });
  if (!trouble) return null;
  return (
    <span className="inline-flex items-center gap-1 text-warn">
      <TriangleAlert size={13} aria-hidden />
      {trouble}
    </span>
  );
}

/** Models as cards: the output of each one, its use, and what to know before running it. */
function CatalogGallery({ rows, ticks, tryOf }: ModelsProps) {
  const t = useWords("catalog");
  return (
    <ul
      aria-label={t("models")}
      className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,264px),1fr))] gap-4"
    >
      {rows.map((row) => (
        <li
          key={row.id}
          className="relative flex min-w-0 flex-col overflow-hidden rounded-panel border bg-panel hover:border-strong has-[a:focus-visible]:border-accent"
        >
          {row.cover}
          <div className="flex flex-1 flex-col gap-1 px-3.5 pt-2.5 pb-3">
            <div className="flex items-start gap-2">
              <h2 className="min-w-0 flex-1">
                <RowAnchor
                  href={`/catalog/${row.id}`}
                  className="font-mono font-medium wrap-anywhere after:absolute after:inset-0 after:rounded-panel focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
                >
                  {row.displayName ?? row.id}
                </RowAnchor>
                {row.displayName && (
                  <span className="block font-mono text-meta text-muted wrap-anywhere">{row.id}</span>
                )}
              </h2>
              <span className="relative z-1 flex items-center gap-2">
                <LinkButton size="sm" href={tryOf(row)} aria-label={t("tryId", { id: row.id })}>
                  {t("try")}
                </LinkButton>
                <Checkbox
                  hideLabel
                  label={t("compareId", { id: row.id })}
                  title={t("compare")}
                  checked={ticks.has(row.id)}
                  disabled={!ticks.canTick(row.id)}
                  onChange={() => ticks.toggle(row.id)}
                />
              </span>
            </div>
            <p className="flex-1 text-table text-muted">{row.purpose}</p>
            <p className="mt-1 flex flex-wrap gap-1 empty:hidden">
              <GateBadges gates={row.gates} />
            </p>
            {row.price && <p className="tabular text-table">{row.price}</p>}
            <p className="tabular flex flex-wrap gap-x-3 text-meta text-muted empty:hidden">
              {row.typicalMs !== null && (
                <span title={t("theMedianOfThisAccounts")}>
                  {t("typically", { time: formatDuration(row.typicalMs, t.language) })}
                </span>
              )}
              {row.runs > 0 && (
                <span title={t("runsOfThisAccount")}>{t("countRuns", { count: row.runs })}</span>
              )}
              <RegionTrouble regions={row.regions} healthy={row.healthyRegions} />
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

interface FacetMenuProps {
  label: string;
  options: readonly FacetOption[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** A button that opens the values of a filter with their counts. Several values can be chosen. */
function FacetMenu({ label, options, chosen, onChange }: FacetMenuProps) {
  const t = useWords("catalog");
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const popover = useRef<HTMLDivElement>(null);

  const toggle = (value: string) =>
    onChange(chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value]);

  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        className="control-height inline-flex items-center gap-1.5 rounded-control border border-strong bg-panel px-2.5 text-table font-medium hover:bg-sunken"
      >
        {label}
        {chosen.length > 0 && (
          <span className="max-w-32 truncate text-accent">
            {chosen.length === 1
              ? facetLabel(chosen[0] ?? "", t)
              : t("countChosen", { count: chosen.length })}
          </span>
        )}
        <ChevronDown size={14} aria-hidden className="text-muted" />
      </button>
      <div
        ref={popover}
        id={id}
        popover="auto"
        onToggle={(event) => {
          if (event.newState === "open" && button.current && popover.current)
            placeBeside(button.current, popover.current, "start");
        }}
        className="fixed inset-auto m-0 max-h-[60vh] min-w-52 overflow-y-auto rounded-panel border bg-raised p-2 text-ink shadow-float"
      >
        <fieldset>
          <legend className="sr-only">{label}</legend>
          {options.map(({ value, count }) => (
            <div
              key={value}
              className="flex items-center justify-between gap-4 rounded-[6px] px-1.5 py-0.5 hover:bg-sunken"
            >
              <Checkbox
                label={facetLabel(value, t)}
                checked={chosen.includes(value)}
                onChange={() => toggle(value)}
                className="flex-1"
              />
              <span className={`tabular text-table ${count === 0 ? "text-faint" : "text-muted"}`}>
                {count}
              </span>
            </div>
          ))}
        </fieldset>
      </div>
    </>
  );
}

function billedPer(t: Words<"catalog">, { billingUnits }: Pick<CatalogRow, "billingUnits">): string {
  return listText(
    t.language,
    billingUnits.map((unit) => facetLabel(unit, t)),
    "plain",
  );
}
