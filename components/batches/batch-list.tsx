"use client";

import dynamic from "next/dynamic";
import { useRef } from "react";
import { type BatchKind, batchKinds, batchStatuses, hasBatchEnded } from "#contract/batch-constants.ts";
import type { Batch } from "#contract/batches.ts";
import type { List } from "#contract/list.ts";
import { MadeBy } from "@/components/team/made-by";
import { MemberFilter } from "@/components/team/member-filter";
import { Permitted } from "@/components/team/permitted";
import { Button, LinkButton } from "@/components/ui/button";
import { ListFilters } from "@/components/ui/list/list-filters";
import { Pager } from "@/components/ui/list/pager";
import { type Column, RowsTable } from "@/components/ui/list/rows-table";
import { SearchFilter } from "@/components/ui/list/search-filter";
import { RowLink } from "@/components/ui/list/table";
import { useListView } from "@/components/ui/list/use-list-view";
import { useLiveList } from "@/components/ui/list/use-live-list";
import { EmptyState } from "@/components/ui/page/empty-state";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { StatusPill } from "@/components/ui/status-pill";
import { Time } from "@/components/ui/time";
import { batchTitle, progressLabel } from "@/lib/batches/labels";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { batchList } from "@/lib/lists";
import { queryKeys } from "@/lib/query-keys";
import { batchLook } from "@/lib/status/batch";
import { BatchBar } from "./batch-bar";

const NewRows = dynamic(() => import("@/components/ui/list/new-rows").then((module) => module.NewRows), {
  ssr: false,
});

const busyEveryMs = 2_000;
const quietEveryMs = 10_000;

interface BatchListProps {
  initial: { query: ReturnType<typeof batchList.queryOf>; list: List<Batch> };
}

const kindLabels: Record<BatchKind, string> = { table: "Rows of a table", comparison: "Comparisons" };
const kindOptions = batchKinds.map((value) => ({ value, label: kindLabels[value] }));
const statusOptions = batchStatuses.map((value) => ({ value, label: batchLook(value).label }));

/** The account's batches, newest first; running ones update live. */
export function BatchList({ initial }: BatchListProps) {
  const { view, change, clear, active } = useListView(batchList);
  const query = batchList.queryOf(view, Date.now());
  const isNewest = !view.after && !view.before;
  const results = useRef<HTMLDivElement>(null);
  const { list, failure, isOld, waiting, release, refresh } = useLiveList({
    query,
    queryKey: queryKeys.batches(query),
    read: (signal) => fetchRoute("GET /batches", { query, signal }),
    initial,
    scope: JSON.stringify(view),
    isNewest,
    everyMs: (rows) => (rows.some(({ status }) => !hasBatchEnded(status)) ? busyEveryMs : quietEveryMs),
    container: results,
  });
  const rows = list?.data ?? [];
  if (list && rows.length === 0 && active === 0 && isNewest)
    return (
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
    );
  return (
    <>
      <ListFilters
        list={{ view, active, change, clear }}
        before={<SearchFilter of="names" value={view.search} onChange={(search) => change({ search })} />}
        selects={[
          { name: "kind", label: "Kind", any: "Any kind", options: kindOptions },
          { name: "status", label: "Status", any: "Any status", options: statusOptions },
        ]}
      >
        <MemberFilter value={view.user_id} onChange={(user_id) => change({ user_id })} />
      </ListFilters>
      {failure && <ErrorPanel error={failure} onRetry={refresh} />}
      <div role="status" className="contents">
        {waiting > 0 && <NewRows count={waiting} container={results} onShow={release} />}
      </div>
      <div ref={results} aria-busy={isOld}>
        {list && rows.length === 0 && (
          <EmptyState
            title="No batches match these filters"
            body="Choose a longer period or clear a filter."
            action={<Button onClick={clear}>Clear filters</Button>}
          />
        )}
        {rows.length > 0 && <RowsTable label="Batches" rows={rows} columns={columns} />}
      </div>
      {list && (
        <Pager
          list={list}
          count={rows.length}
          total={{ route: "GET /batches", query, noun: "batch", plural: "batches" }}
        />
      )}
    </>
  );
}

const columns: readonly Column<Batch>[] = [
  {
    head: "Batch",
    cellClass: "w-full max-w-0 min-w-36",
    cell: (batch) => (
      <RowLink href={`/batches/${batch.id}`} className="block truncate">
        {batchTitle(batch)}
      </RowLink>
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
    head: "Rows",
    from: "tablet",
    cellClass: "min-w-40",
    cell: (batch) => (
      <>
        <span className="tabular block text-meta text-muted">{progressLabel(batch.counts)}</span>
        <BatchBar counts={batch.counts} label={`Rows of ${batchTitle(batch)}`} />
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
        <span className="block text-meta whitespace-nowrap text-muted">{batch.api_type}</span>
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
