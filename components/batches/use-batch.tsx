"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { hasBatchEnded } from "#contract/batch-constants.ts";
import type { Batch, BatchRowList } from "#contract/batches.ts";
import { failureToast } from "@/components/ui/page/failure-toast";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import type { ActionResult } from "@/lib/gateway/result";
import { queryKeys } from "@/lib/query-keys";

const busyEveryMs = 1_500;

const pausedEveryMs = 10_000;

function everyMs({ status }: Batch): number | false {
  if (hasBatchEnded(status)) return false;
  return status === "paused" ? pausedEveryMs : busyEveryMs;
}

/** A batch, read again until it ends. */
export function useBatch(initial: Batch) {
  return useQuery({
    queryKey: queryKeys.batch(initial.id),
    queryFn: ({ signal }) =>
      fetchRoute("GET /batches/{id}", {
        ...{ params: { id: initial.id }, query: { shape: "gatehouse" } },
        signal,
      }),
    initialData: initial,
    refetchInterval: ({ state }) => everyMs(state.data ?? initial),
  });
}

/** Some rows of a batch in order; read again whenever the counts change. `initial` is shown until they are read. */
export function useBatchRows(
  batch: Batch,
  query: { status?: string; after?: number; limit: number },
  initial: BatchRowList | null = null,
) {
  const { succeeded, failed, canceled, running } = batch.counts;
  const seen = [succeeded, failed, canceled, running].join();
  return useQuery({
    queryKey: queryKeys.batchRows(batch.id, { ...query, seen }),
    queryFn: ({ signal }) =>
      fetchRoute("GET /batches/{id}/rows", { params: { id: batch.id }, query, signal }),
    placeholderData: (before) => before ?? initial ?? undefined,
  });
}

const ConfirmPeople = dynamic(() => import("./confirm-people.tsx").then((module) => module.ConfirmPeople), {
  ssr: false,
});

/** A change of a batch. Rows about people require a confirmation. */
export type MakeChange = (confirmed: { person_rights_confirmed?: true }) => ActionResult<Batch>;

interface Unconfirmed {
  name: string;
  make: MakeChange;
  rows: string[];
}

/** Changes a batch, one change at a time. Requests a confirmation if the gateway requires it. */
export function useBatchChange(id: string) {
  const client = useQueryClient();
  const { toast } = useToast();
  const [acting, setActing] = useState<string | null>(null);
  const [unconfirmed, setUnconfirmed] = useState<Unconfirmed | null>(null);

  /** False if the change failed. */
  const change = async (name: string, make: MakeChange, isConfirmed = false): Promise<boolean> => {
    setActing(name);
    const answer = await answerOf(make(isConfirmed ? { person_rights_confirmed: true } : {}));
    setActing(null);
    if (answer.ok) client.setQueryData(queryKeys.batch(id), answer.data);
    else if (answer.error.code === "person_rights_confirmation_required" && !isConfirmed)
      setUnconfirmed({ name, make, rows: answer.error.details.map(({ message }) => message) });
    else toast(await failureToast(answer.error));
    void client.invalidateQueries({ queryKey: queryKeys.batch(id) });
    return answer.ok;
  };

  return {
    /** The name of the change in progress. */
    acting,
    change,
    dialog: unconfirmed && (
      <ConfirmPeople
        rows={unconfirmed.rows}
        busy={acting !== null}
        onConfirm={async () => {
          await change(unconfirmed.name, unconfirmed.make, true);
          setUnconfirmed(null);
        }}
        onClose={() => setUnconfirmed(null)}
      />
    ),
  };
}
