"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { List } from "#contract/list.ts";
import type { KeptLabels, Output } from "#contract/outputs.ts";
import { useFormats, useWords } from "#words";
import { OutputPicture } from "@/components/media/output-picture";
import { OutputThumbnail } from "@/components/media/output-thumbnail";
import { useAccess } from "@/components/team/access";
import { Button, LinkButton } from "@/components/ui/button";
import { asOptions, ListFilters } from "@/components/ui/list/list-filters";
import { LiveRows, useLiveList } from "@/components/ui/list/live-list";
import { TextFilter } from "@/components/ui/list/text-filter";
import { Time } from "@/components/ui/time";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { callRoute } from "@/lib/browser/gateway";
import type { GatewayResult } from "@/lib/gateway/result";
import { libraryList } from "@/lib/lists";
import { queryKeys } from "@/lib/query-keys";
import { retentionIn } from "@/lib/retention";

const EmptyState = dynamic(
  () => import("@/components/ui/page/empty-state").then((module) => module.EmptyState),
  { loading: () => null },
);
const KeptDialog = dynamic(() => import("./kept-dialog.tsx").then((module) => module.KeptDialog), {
  ssr: false,
});

interface LibraryViewProps {
  initial: { query: ReturnType<typeof libraryList.queryOf>; list: List<Output> };
  /** Loaded with the page, so that nothing moves when the labels appear. */
  labels: GatewayResult<KeptLabels>;
  modelIds: string[];
}

/** The kept outputs of the account as a grid. The URL contains filters and page position. */
export function LibraryView({ initial, labels: firstLabels, modelIds }: LibraryViewProps) {
  const t = useWords("library");
  const ui = useWords("ui");
  const { keepsOutputs, retentionMinutes } = useAccess();
  const [openId, setOpenId] = useState<string | null>(null);
  const live = useLiveList({
    list: libraryList,
    initial,
    queryKey: queryKeys.library,
    read: (query, signal) => fetchRoute("GET /outputs", { query, signal }),
    // New files are never inserted automatically. Files that the user removes disappear at once.
    everyMs: () => false,
    holds: false,
  });
  const { view, change, clear, active, list, rows: outputs } = live;
  const labels = useQuery({
    queryKey: queryKeys.libraryLabels(),
    queryFn: ({ signal }) => callRoute("GET /outputs/labels", { signal }),
    initialData: firstLabels,
  });
  const used = labels.data.ok ? labels.data.data.data : [];
  const opened = outputs.find(({ id }) => id === openId);
  return (
    <>
      {(active > 0 || outputs.length > 0) && (
        <ListFilters
          list={live}
          before={
            <TextFilter
              key={view.search}
              label={t("wordsInThePrompt")}
              placeholder={t("searchPrompts")}
              value={view.search}
              onChange={(search) => change({ search })}
            />
          }
          selects={[
            {
              name: "label",
              label: t("label"),
              any: t("anyLabel"),
              options: asOptions(used.map(({ label }) => label)),
            },
            { name: "model", label: t("model"), any: t("anyModel"), options: asOptions(modelIds) },
          ]}
        />
      )}
      <LabelTiles labels={used} chosen={view.label} onChoose={(label) => change({ label })} />
      <LiveRows list={live} total={{ route: "GET /outputs", noun: "file" }}>
        {outputs.length > 0 && (
          <ul
            aria-label={t("keptFiles")}
            className="grid grid-cols-2 tablet:grid-cols-3 desktop:grid-cols-4 gap-3"
          >
            {outputs.map((output) => (
              <li key={output.id} className="min-w-0">
                <KeptCard output={output} onOpen={() => setOpenId(output.id)} />
              </li>
            ))}
          </ul>
        )}
        {list && outputs.length === 0 && (
          <EmptyState
            drawing="frames"
            title={active > 0 ? t("noKeptFilesMatchThis") : t("nothingKeptYet")}
            body={
              active > 0
                ? t("clearTheFilterToSee")
                : retentionMinutes !== null
                  ? ui("nothingKept", retentionIn(retentionMinutes))
                  : keepsOutputs
                    ? t("chooseKeep")
                    : t("saveFiles")
            }
            action={
              active > 0 ? (
                <Button onClick={clear}>{t("clearFilter")}</Button>
              ) : (
                <LinkButton href="/predictions?view=gallery" variant="primary">
                  {t("openTheGallery")}
                </LinkButton>
              )
            }
          />
        )}
      </LiveRows>
      {opened && <KeptDialog key={opened.id} output={opened} onClose={() => setOpenId(null)} />}
    </>
  );
}

/** The filter offers the other labels. */
const maxTiles = 8;

interface LabelTilesProps {
  labels: KeptLabels["data"];
  /** The label that filters the list; empty: none. */
  chosen: string;
  onChoose: (label: string) => void;
}

/** The labels used most, each with its newest file; pressing one shows only its files, pressing it again all. */
function LabelTiles({ labels, chosen, onChoose }: LabelTilesProps) {
  const t = useWords("library");
  if (labels.length === 0) return null;
  return (
    <ul aria-label={t("labels")} className="mb-4 flex flex-wrap gap-2">
      {labels.slice(0, maxTiles).map(({ label, count, newest }) => (
        <li key={label} className="min-w-0">
          <button
            type="button"
            aria-pressed={label === chosen}
            onClick={() => onChoose(label === chosen ? "" : label)}
            title={label}
            className="flex max-w-72 items-center gap-2 rounded-control border bg-panel py-1 pr-3 pl-1 text-left text-table hover:border-strong aria-pressed:border-accent aria-pressed:bg-accent-soft"
          >
            <span className="my-1">
              <OutputThumbnail output={newest} alt="" />
            </span>
            <span className="min-w-0">
              <span className="block truncate font-medium">{label}</span>
              <span className="tabular block text-meta text-muted">{t("countFiles", { count })}</span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** A file in the grid, named by its prompt, or by its time if none is stored. Pressing it opens it. */
function KeptCard({ output, onOpen }: { output: Output; onOpen: () => void }) {
  const { list } = useFormats();
  const { model, kept, created_at: createdAt } = output;
  return (
    <button
      type="button"
      onClick={onOpen}
      className="flex w-full min-w-0 flex-col overflow-hidden rounded-panel border bg-panel text-left hover:border-accent"
    >
      <span className="relative aspect-square w-full overflow-hidden bg-sunken">
        <OutputPicture file={output} cover />
      </span>
      <span className="flex min-w-0 flex-col gap-1 px-3 py-2">
        <span className="line-clamp-2 wrap-anywhere font-medium">
          {kept?.prompt ?? <Time value={createdAt} mode="absolute" />}
        </span>
        <span className="truncate text-meta text-muted">
          {model}
          {kept?.prompt && (
            <>
              {" · "}
              <Time value={createdAt} />
            </>
          )}
        </span>
        {kept && kept.labels.length > 0 && (
          <span className="truncate text-meta text-muted">{list(kept.labels)}</span>
        )}
      </span>
    </button>
  );
}
