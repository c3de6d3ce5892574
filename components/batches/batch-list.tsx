"use client";

import { useQuery } from "@tanstack/react-query";
import { hasBatchEnded } from "#contract/batch-constants.ts";
import type { Batch } from "#contract/batches.ts";
import type { List } from "#contract/list.ts";
import { MadeBy } from "@/components/team/made-by";
import { Permitted } from "@/components/team/permitted";
import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorPanel } from "@/components/ui/error-panel";
import { Pager } from "@/components/ui/pager";
import { StatusPill } from "@/components/ui/status-pill";
import { RowLink, Table, Td, Th, Tr } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { batchTitle, progressWords } from "@/lib/batches/words";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { queryKeys } from "@/lib/query-keys";
import { batchLook } from "@/lib/status/batch";
import { BatchBar } from "./batch-bar";

const busyEveryMs = 2_000;
const quietEveryMs = 10_000;

interface BatchListProps {
  initial: List<Batch>;
  /** The page's place in the list. */
  query: { limit: number; after?: string; before?: string };
}

/** The account's batches, newest first; those that run move. */
export function BatchList({ initial, query }: BatchListProps) {
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.batches(query),
    queryFn: ({ signal }) => fetchRoute("GET /batches", { query, signal }),
    initialData: initial,
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ status }) => !hasBatchEnded(status)) ? busyEveryMs : quietEveryMs,
  });
  const failure = failureBehind(error);
  if (data.data.length === 0 && !query.after && !query.before)
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
      {failure && <ErrorPanel error={failure} onRetry={() => void refetch()} />}
      <Table label="Batches">
        <thead>
          <tr>
            <Th>Batch</Th>
            <Th>Status</Th>
            <Th className="max-phone:hidden">Rows</Th>
            <Th className="max-tablet:hidden">Model</Th>
            <Th className="max-phone:hidden">Created</Th>
          </tr>
        </thead>
        <tbody>
          {data.data.map((batch) => (
            <BatchRow key={batch.id} batch={batch} />
          ))}
        </tbody>
      </Table>
      <Pager hasMore={data.has_more} first={data.first_id} last={data.last_id} />
    </>
  );
}

function BatchRow({ batch }: { batch: Batch }) {
  const look = batchLook(batch.status);
  return (
    <Tr>
      <Td className="w-full max-w-0 min-w-36">
        <RowLink href={`/batches/${batch.id}`} className="block truncate">
          {batchTitle(batch)}
        </RowLink>
        <span className="tabular text-meta text-muted phone:hidden">{progressWords(batch.counts)}</span>
      </Td>
      <Td>
        <StatusPill label={look.label} tone={look.tone} icon={look.icon} title={look.meaning} />
      </Td>
      <Td className="min-w-40 max-phone:hidden">
        <span className="tabular block text-meta text-muted">{progressWords(batch.counts)}</span>
        <BatchBar counts={batch.counts} label={`Rows of ${batchTitle(batch)}`} />
      </Td>
      <Td className="max-tablet:hidden">
        <span className="block font-mono whitespace-nowrap">{batch.models.join(", ")}</span>
        <span className="block text-meta whitespace-nowrap text-muted">{batch.api_type}</span>
      </Td>
      <Td className="max-phone:hidden">
        <Time value={batch.created_at} />
        <MadeBy maker={batch.made_by} />
      </Td>
    </Tr>
  );
}
