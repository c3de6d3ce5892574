"use client";
import type { ReactNode } from "react";
import { type BatchKind, batchStatuses, hasBatchEnded } from "#contract/batch-constants.ts";
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
import { batchLook } from "@/lib/status/batch";
import type { Noun } from "@/messages/words";
import { BatchBar } from "./batch-state.tsx";

const busyEveryMs = 2_000;
const quietEveryMs = 10_000;

interface BatchListProps {
  kind: BatchKind;
  initial: { query: ReturnType<(typeof lists)[BatchKind]["queryOf"]>; list: List<Batch> };
}

const lists = { table: batchList, comparison: comparisonList };

const words: Record<BatchKind, { noun: Noun; label: string; empty: ReactNode }> = {
  table: {
    noun: "batch",
    label: "Batches",
    empty: (
      <EmptyState
        title="No batches yet"
        body="Run one operation over the rows of a table, a CSV or a JSONL file: up to 1,000 inputs at once."
        action={
          <Permitted to="operations:run">
            <LinkButton href="/batches/new" variant="primary">
              New batch
            </LinkButton>
          </Permitted>
        }
      />
    ),
  },
  comparison: {
    noun: "comparison",
    label: "Comparisons",
    empty: (
      <EmptyState
        title="No comparisons yet"
        body="Run one input on up to eight models and see the results side by side."
        action={
          <LinkButton href="/compare" variant="primary">
            Compare models
          </LinkButton>
        }
      />
    ),
  },
};

const statusOptions = batchStatuses.map((value) => ({ value, label: batchLook(value).label }));

/** The account's batches or comparisons, newest first; running ones update live. */
export function BatchList({ kind, initial }: BatchListProps) {
  const nouns = useWords("nouns");
  const { noun, label, empty } = words[kind];
  const live = useLiveList({
    list: lists[kind],
    initial,
    queryKey: queryKeys.batches,
    read: (query, signal) => fetchRoute("GET /batches", { query, signal }),
    everyMs: (shown) => (shown.some(({ status }) => !hasBatchEnded(status)) ? busyEveryMs : quietEveryMs),
  });
  const { view, change, clear, active, list, rows, isNewest } = live;
  if (list && rows.length === 0 && active === 0 && isNewest) return empty;
  return (
    <>
      <ListFilters
        list={live}
        before={<SearchFilter of="names" value={view.search} onChange={(search) => change({ search })} />}
        selects={[{ name: "status", label: "Status", any: "Any status", options: statusOptions }]}
      >
        <MemberFilter value={view.user_id} onChange={(user_id) => change({ user_id })} />
      </ListFilters>
      <LiveRows list={live} total={{ route: "GET /batches", noun }}>
        {list && rows.length === 0 && (
          <EmptyState
            title={`No ${nouns(noun, { count: 2 })} match these filters`}
            body="Choose a longer period or clear a filter."
            action={<Button onClick={clear}>Clear filters</Button>}
          />
        )}
        {rows.length > 0 && <RowsTable label={label} rows={rows} columns={columnsOf[kind]} />}
      </LiveRows>
    </>
  );
}

const columnsOf: Record<BatchKind, readonly Column<Batch>[]> = {
  table: columnsFor({ head: "Batch", rows: "Rows", noun: "row", path: "/batches" }),
  comparison: columnsFor({ head: "Comparison", rows: "Results", noun: "model", path: "/compare" }),
};

function columnsFor({
  head,
  rows,
  noun,
  path,
}: Record<"head" | "rows" | "noun" | "path", string>): Column<Batch>[] {
  return [
    {
      head,
      cellClass: "w-full max-w-0 min-w-36 tablet:min-w-72",
      cell: (batch) => (
        <span className="flex items-center gap-3">
          <RowLink href={`${path}/${batch.id}`} className="block min-w-0 flex-1 truncate">
            {batchTitle(batch)}
          </RowLink>
          <FirstPictures batch={batch} />
        </span>
      ),
    },
    {
      head: "Status",
      cell(batch) {
        const look = batchLook(batch.status);
        return <StatusPill label={look.label} tone={look.tone} icon={look.icon} title={look.meaning} />;
      },
    },
    {
      head: rows,
      from: "tablet",
      cellClass: "min-w-40",
      cell: (batch) => (
        <>
          <span className="tabular block text-meta text-muted">{progressLabel(batch.counts, noun)}</span>
          <BatchBar counts={batch.counts} noun={noun} label={`${rows} of ${batchTitle(batch)}`} />
        </>
      ),
    },
    {
      head: "Model",
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
      head: "Created",
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
  return (
    <span className="flex shrink-0 gap-1 tablet:w-35">
      {pictures.map((picture, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row may have several files
        <span key={at} className="max-tablet:nth-[n+2]:hidden">
          <OutputThumbnail output={picture} alt={`Result of row ${picture.row}`} />
        </span>
      ))}
    </span>
  );
}
