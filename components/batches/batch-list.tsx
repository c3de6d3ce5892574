"use client";
import { type BatchKind, hasBatchEnded } from "#contract/batch-constants.ts";
import type { Batch } from "#contract/batches.ts";
import type { List } from "#contract/list.ts";
import { useWords } from "#words";
import { OutputThumbnail } from "@/components/media/output-thumbnail";
import { MadeBy, MemberFilter } from "@/components/team/made-by";
import { Permitted } from "@/components/team/permitted";
import { StatusPill } from "@/components/ui/badge";
import { Button, LinkButton } from "@/components/ui/button";
import { ListFilters } from "@/components/ui/list/list-filters";
import { LiveRows, useLiveList } from "@/components/ui/list/live-list";
import { type Column, RowsTable } from "@/components/ui/list/rows-table";
import { RowLink } from "@/components/ui/list/table";
import { SearchFilter } from "@/components/ui/list/text-filter";
import { EmptyState } from "@/components/ui/page/empty-state";
import { Time } from "@/components/ui/time";
import { batchTitle, progressLabel } from "@/lib/batches/labels";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { batchList, comparisonList } from "@/lib/lists";
import { queryKeys } from "@/lib/query-keys";
import { batchLook, batchOptions } from "@/lib/status/batch";
import type { Words } from "@/messages/words";
import { BatchBar } from "./batch-state.tsx";

const busyEveryMs = 2_000;
const quietEveryMs = 10_000;

interface BatchListProps {
  kind: BatchKind;
  initial: { query: ReturnType<(typeof lists)[BatchKind]["queryOf"]>; list: List<Batch> };
}

const lists = { table: batchList, comparison: comparisonList };

const totals = {
  table: { noun: "batch" },
  comparison: { noun: "comparison" },
} as const;

function Empty({ kind }: { kind: BatchKind }) {
  const t = useWords("batches");
  return kind === "table" ? (
    <EmptyState
      title={t("noBatchesYet")}
      body={t("runOneOperation")}
      action={
        <Permitted to="operations:run">
          <LinkButton href="/batches/new" variant="primary">
            {t("newBatch")}
          </LinkButton>
        </Permitted>
      }
    />
  ) : (
    <EmptyState
      title={t("noComparisonsYet")}
      body={t("runOneInput")}
      action={
        <LinkButton href="/compare" variant="primary">
          {t("compareModels")}
        </LinkButton>
      }
    />
  );
}

/** The account's batches or comparisons, newest first; running ones update live. */
export function BatchList({ kind, initial }: BatchListProps) {
  const t = useWords("batches");
  const states = useWords("states");

  const live = useLiveList({
    list: lists[kind],
    initial,
    queryKey: queryKeys.batches,
    read: (query, signal) => fetchRoute("GET /batches", { query, signal }),
    everyMs: (shown) => (shown.some(({ status }) => !hasBatchEnded(status)) ? busyEveryMs : quietEveryMs),
  });
  const { view, change, clear, active, list, rows, isNewest } = live;
  if (list && rows.length === 0 && active === 0 && isNewest) return <Empty kind={kind} />;
  return (
    <>
      <ListFilters
        list={live}
        before={
          <SearchFilter of={t("names")} value={view.search} onChange={(search) => change({ search })} />
        }
        selects={[{ name: "status", label: t("status"), any: t("anyStatus"), options: batchOptions(states) }]}
      >
        <MemberFilter value={view.user_id} onChange={(user_id) => change({ user_id })} />
      </ListFilters>
      <LiveRows list={live} total={{ route: "GET /batches", ...totals[kind] }}>
        {list && rows.length === 0 && (
          <EmptyState
            title={t("noMatches", { kind })}
            body={t("chooseALongerPeriodOr")}
            action={<Button onClick={clear}>{t("clearFilters")}</Button>}
          />
        )}
        {rows.length > 0 && (
          <RowsTable label={t("labelOfList", { kind })} rows={rows} columns={columnsOf(t, states, kind)} />
        )}
      </LiveRows>
    </>
  );
}

function columnsOf(t: Words<"batches">, states: Words<"states">, kind: BatchKind): Column<Batch>[] {
  const path = kind === "table" ? "/batches" : "/compare";
  return [
    {
      head: t(kind === "table" ? "batch" : "comparison"),
      cellClass: "w-full max-w-0 min-w-36 tablet:min-w-72",
      cell: (batch) => (
        <span className="flex items-center gap-3">
          <RowLink href={`${path}/${batch.id}`} className="block min-w-0 flex-1 truncate">
            {batchTitle(t, batch)}
          </RowLink>
          <FirstPictures batch={batch} />
        </span>
      ),
    },
    {
      head: t("status"),
      cell(batch) {
        const look = batchLook(states, batch.status);
        return <StatusPill label={look.label} tone={look.tone} icon={look.icon} title={look.meaning} />;
      },
    },
    {
      head: t(kind === "table" ? "rows" : "results"),
      from: "tablet",
      cellClass: "min-w-40",
      cell: (batch) => (
        <>
          <span className="tabular block text-meta text-muted">{progressLabel(t, batch.counts, kind)}</span>
          <BatchBar
            counts={batch.counts}
            kind={kind}
            label={t("rowsOf", { kind, title: batchTitle(t, batch) })}
          />
        </>
      ),
    },
    {
      head: t("model"),
      from: "tablet",
      cell: (batch) => (
        <>
          {batch.models.map((model) => (
            <span key={model} className="block w-max max-w-full font-mono wrap-anywhere tablet:max-w-60">
              {model}
            </span>
          ))}
          {batch.kind === "table" && (
            <span className="block text-meta whitespace-nowrap text-muted">{batch.api_type}</span>
          )}
        </>
      ),
    },
    {
      head: t("created"),
      from: "tablet",
      cell: (batch) => (
        <>
          <Time value={batch.created_at} />
          <MadeBy maker={batch.made_by} />
        </>
      ),
    },
  ];
}

/** The first results in frames of one size, in line with those of other rows. */
function FirstPictures({ batch: { pictures = [] } }: { batch: Batch }) {
  const t = useWords("batches");
  return (
    <span className="flex shrink-0 gap-1 tablet:w-35">
      {pictures.map((picture, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row may have several files
        <span key={at} className="max-tablet:nth-[n+2]:hidden">
          <OutputThumbnail output={picture} alt={t("resultOfRowRow", { row: picture.row })} />
        </span>
      ))}
    </span>
  );
}
