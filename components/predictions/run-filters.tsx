"use client";

import { LayoutGrid, List } from "lucide-react";
import type { ReactNode } from "react";
import { apiTypes, regionNames } from "#contract/catalog-constants.ts";
import { useWords } from "#words";
import { MemberFilter } from "@/components/team/made-by";
import {
  asOptions,
  type FilteredList,
  ListFilters,
  type SelectFilter,
} from "@/components/ui/list/list-filters";
import { MetadataFilter } from "@/components/ui/list/text-filter";
import { Link } from "@/components/ui/page/link";
import type { SearchParams } from "@/lib/page-props";
import { galleryList, predictionList } from "@/lib/prediction-lists";

type SharedName = "model" | "api_type" | "svc_region" | "user_id" | "metadata";

interface RunFiltersProps<First extends string> {
  list: FilteredList<SharedName | First>;
  /** The filters that only this view has. */
  first: readonly SelectFilter<First>[];
  modelIds: string[];
  summary: string;
  before?: ReactNode;
  actions?: ReactNode;
}

/** The filters for predictions, which the list and the gallery share. */
export function RunFilters<First extends string>(props: RunFiltersProps<First>) {
  const t = useWords("predictions");
  const { list, first, modelIds, ...rest } = props;
  const { view, change } = list as FilteredList<SharedName>;
  return (
    <ListFilters
      {...rest}
      list={list}
      selects={[
        ...first,
        { name: "model", label: t("model"), any: t("anyModel"), options: asOptions(modelIds) },
        { name: "api_type", label: t("operation"), any: t("anyOperation"), options: asOptions(apiTypes) },
        { name: "svc_region", label: t("region"), any: t("anyRegion"), options: asOptions(regionNames) },
      ]}
    >
      <MemberFilter value={view.user_id} onChange={(user_id) => change({ user_id })} />
      <MetadataFilter value={view.metadata} onChange={(metadata) => change({ metadata })} />
    </ListFilters>
  );
}

interface ViewSwitchProps {
  shown: "list" | "gallery";
  /** The filters. Those that both views have are kept when the user switches. */
  view: SearchParams;
}

/** Switches between the two views of predictions. */
export function ViewSwitch({ shown, view }: ViewSwitchProps) {
  const t = useWords("predictions");
  const look =
    "inline-flex items-center gap-1.5 rounded-[6px] pointer-coarse:min-h-11 px-2.5 text-table font-medium text-muted hover:text-ink aria-[current]:bg-panel aria-[current]:text-ink";
  return (
    <nav
      aria-label={t("view")}
      className="control-height flex gap-0.5 rounded-control border border-strong bg-sunken p-0.5"
    >
      <Link
        href={`/predictions${predictionList.searchOf(predictionList.viewOf(view))}`}
        aria-current={shown === "list" ? "page" : undefined}
        className={look}
      >
        <List size={16} aria-hidden />
        {t("list")}
      </Link>
      <Link
        href={`/predictions${galleryList.searchOf(galleryList.viewOf(view))}`}
        aria-current={shown === "gallery" ? "page" : undefined}
        className={look}
      >
        <LayoutGrid size={16} aria-hidden />
        {t("gallery")}
      </Link>
    </nav>
  );
}
