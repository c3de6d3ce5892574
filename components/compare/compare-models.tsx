"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Columns2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useEffect, useState } from "react";
import type { Batch, BatchFault } from "#contract/batches.ts";
import type { ApiType } from "#contract/catalog.ts";
import { Permitted } from "@/components/team/permitted";
import { Button } from "@/components/ui/button";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/use-place";
import { type Comparable, mostComparedModels, rowFor } from "@/lib/batches/compare";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { callRoute } from "@/lib/browser/gateway";
import { newRunKey } from "@/lib/browser/runs/run-key";
import { formatCount } from "@/lib/format";
import type { GatewayFailure } from "@/lib/gateway/result";
import { storable } from "@/lib/schema-form/draft";
import { draftsStore } from "@/lib/schema-form/drafts-store";
import type { JsonObject } from "@/lib/schema-form/json";
import { ComparedInput } from "./compared-input";
import { ModelChoice } from "./model-choice";

const Comparison = dynamic(() => import("./comparison").then((module) => module.Comparison), {
  loading: () => null,
});

interface CompareModelsProps {
  accountId: string;
  model: string;
  apiType: ApiType;
  baseUrl: string;
  /** The input while this browser has no draft. */
  example: JsonObject;
  comparable: Comparable[];
  /** A comparison that was run before. */
  initial: Batch | null;
  /** What it ran; null once it was removed. */
  ran: JsonObject | null;
}

/**
 * One input, the draft of the playground or that of a comparison that was run, over several models: a batch with a row
 * for each.
 */
export function CompareModels(props: CompareModelsProps) {
  const { accountId, model, apiType, baseUrl, example, comparable, initial, ran } = props;
  const router = usePageRouter();
  const [input, setInput] = useState<JsonObject | null>(null);
  const [chosen, setChosen] = useState<readonly string[]>(initial?.models ?? [model]);
  const { busy, failure, send } = useSend();

  // The server cannot know what this browser kept.
  useEffect(() => {
    const kept = ran ?? draftsStore(accountId).load(`${model}:${apiType}`)?.value;
    // An answer is compared as a whole.
    const { model: _model, stream: _stream, ...rest } = storable(kept ?? example);
    setInput(rest);
  }, [accountId, model, apiType, example, ran]);

  const rows = input
    ? comparable.filter((each) => chosen.includes(each.model)).map((each) => rowFor(each, input).row)
    : [];
  const check = useComparisonCheck(model, apiType, rows);
  const fitting = rows.filter((row) => check.faultsOf(String(row.model)).length === 0);

  const start = async () => {
    const body = {
      // Each row names its own.
      model: String(fitting[0]?.model),
      api_type: apiType,
      name: `Comparison of ${formatCount(fitting.length, "model")}`,
      concurrency: mostComparedModels,
      rows: fitting,
    };
    const headers = { "idempotency-key": newRunKey() };
    const answer = await send(() => callRoute("POST /batches", { body, headers }));
    if (answer.ok) router.push(`/playground/${model}/${apiType}/compare?batch=${answer.data.id}`);
  };

  return (
    <div data-wide className="flex min-w-0 flex-col gap-5">
      <div className="grid min-w-0 grid-cols-1 gap-5 desktop:grid-cols-2">
        <ComparedInput input={input} baseUrl={baseUrl} />
        <ModelChoice
          comparable={comparable}
          input={input}
          chosen={chosen}
          faultsOf={check.faultsOf}
          onChoose={(id) =>
            setChosen(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id])
          }
        />
      </div>
      {(failure ?? check.failure) && <ErrorPanel error={(failure ?? check.failure) as GatewayFailure} />}
      <div className="flex flex-wrap items-center gap-3">
        <Permitted to="operations:run">
          <Button
            variant="primary"
            icon={<Columns2 size={16} aria-hidden />}
            busy={busy}
            disabled={fitting.length < 2 || !check.isCurrent}
            onClick={() => void start()}
          >
            {fitting.length < 2 ? "Run" : `Run on ${formatCount(fitting.length, "model")}`}
          </Button>
        </Permitted>
        <p role="status" className="text-table text-muted">
          {chosen.length < 2 && "Choose at least two models."}
          {chosen.length >= 2 &&
            fitting.length < 2 &&
            check.isCurrent &&
            "Fewer than two of these models can run this input."}
        </p>
      </div>
      {initial && <Comparison key={initial.id} initial={initial} accountId={accountId} />}
    </div>
  );
}

const fewest = 2;

/** What the gateway finds in the input for each model; nothing runs. */
function useComparisonCheck(model: string, apiType: ApiType, rows: readonly JsonObject[]) {
  const models = rows.map((row) => String(row.model));
  const query = useQuery({
    // The input of a page stays the same: only the models change.
    queryKey: ["batches", "comparison", model, apiType, ...models],
    queryFn: async ({ signal }) => ({
      models,
      check: await fetchRoute("POST /batches/check", {
        body: { model: models[0] ?? model, api_type: apiType, rows },
        signal,
      }),
    }),
    enabled: rows.length >= fewest,
    placeholderData: keepPreviousData,
    retry: false,
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
  const { data } = query;
  return {
    failure: failureBehind(query.error),
    isCurrent: query.isSuccess && !query.isPlaceholderData,
    faultsOf(id: string): BatchFault[] {
      const row = (data?.models.indexOf(id) ?? -1) + 1;
      return row === 0 ? [] : (data?.check.faults.filter((fault) => fault.row === row) ?? []);
    },
  };
}
