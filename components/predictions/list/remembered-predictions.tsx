"use client";

import { useQueries } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import { type FormEvent, useEffect, useState } from "react";
import type { Prediction } from "#contract/prediction.ts";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { InputField } from "@/components/ui/form/input-fields";
import { usePageRouter } from "@/components/ui/page/link";
import { NotOffered } from "@/components/ui/page/not-offered";
import { fetchRoute, GatewayCallError } from "@/lib/browser/fetch-from-gateway";
import { forgetId, rememberedIds } from "@/lib/browser/remembered-ids";
import { queryKeys } from "@/lib/query-keys";
import { idExample, predictionHref } from "../links.ts";
import { pollInterval } from "../poll-interval.ts";
import { PredictionTable } from "./prediction-table.tsx";

/** At most this many rows are shown, because each row needs a request. */
const maxShown = 20;

/** For a gateway without a list: the predictions that this browser started or opened, each read by its id. */
export function RememberedPredictions() {
  const t = useWords("predictions");
  const [ids, setIds] = useState<string[]>([]);
  useEffect(() => setIds(rememberedIds("prediction").slice(0, maxShown)), []);
  const found = useQueries({
    queries: ids.map((id) => ({
      queryKey: queryKeys.prediction(id),
      queryFn: () => readOrForget(id),
      refetchInterval: (query: { state: { data: Prediction | null | undefined } }) =>
        pollInterval(query.state.data ?? undefined, Date.now()),
    })),
  });
  const predictions = found.flatMap((result) => (result.data ? [result.data] : []));
  return (
    <div className="space-y-4">
      {predictions.length > 0 && <PredictionTable predictions={predictions} search="" />}
      <NotOffered what={t("aListOfPredictions")} brief={predictions.length > 0}>
        {t("thisListHasPredictionsThat")}
      </NotOffered>
      <OpenById />
    </div>
  );
}

/** Silently removes a prediction that no longer exists or belongs to another account. */
async function readOrForget(id: string): Promise<Prediction | null> {
  try {
    return await fetchRoute("GET /predictions/{id}", { params: { id } });
  } catch (error) {
    if (!(error instanceof GatewayCallError) || error.failure.code !== "prediction_not_found") throw error;
    forgetId("prediction", id);
    return null;
  }
}

/** Opens a prediction by its id. */
function OpenById() {
  const t = useWords("predictions");
  const router = usePageRouter();
  const [problem, setProblem] = useState<string | null>(null);
  const open = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const id = String(new FormData(event.currentTarget).get("id") ?? "").trim();
    if (!/^[A-Za-z0-9._-]{1,128}$/.test(id)) return setProblem(t("enterAnId"));
    setProblem(null);
    router.push(predictionHref(id));
  };
  return (
    <form onSubmit={open} className="flex flex-wrap items-end gap-2" noValidate>
      <InputField
        label={t("predictionId")}
        error={problem}
        className="w-80 max-w-full"
        name="id"
        placeholder={idExample}
        autoComplete="off"
        mono
      />
      <Button type="submit" icon={<ArrowRight size={16} aria-hidden />}>
        {t("open")}
      </Button>
    </form>
  );
}
