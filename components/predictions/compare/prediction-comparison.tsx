"use client";

import { useQueries } from "@tanstack/react-query";
import { Plus, RotateCw, X } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { Prediction } from "#contract/prediction.ts";
import { useWords } from "#words";
import { ShareButton } from "@/components/shares/share-button";
import { Permitted } from "@/components/team/permitted";
import { Button, LinkButton } from "@/components/ui/button";
import { FailureInShort } from "@/components/ui/failure-in-short";
import { InputField, SelectField } from "@/components/ui/form/input-fields";
import { Switch } from "@/components/ui/form/switch";
import { CompareCell, CompareGroup, CompareRow, CompareTable } from "@/components/ui/list/compare-table";
import { Link, usePageRouter } from "@/components/ui/page/link";
import { Duration } from "@/components/ui/quantity";
import { Time } from "@/components/ui/time";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { shortenId } from "@/lib/format";
import { queryKeys } from "@/lib/query-keys";
import { listText } from "@/lib/words/list-text";
import { compareHref, idExample, playgroundHref, predictionHref } from "../links.ts";
import { OutputPanel } from "../output-panel.tsx";
import { outputFiles } from "../outputs.ts";
import { pollInterval } from "../poll-interval.ts";
import { PredictionStatus } from "../prediction-status.tsx";
import { type FactRow, inputFacts, runFacts, timings } from "./compare-facts.ts";

/** Up to four predictions side by side, read again until none of them can change. */
export function PredictionComparison({ initial }: { initial: readonly Prediction[] }) {
  const t = useWords("predictions");
  const [onlyDifferences, setOnlyDifferences] = useState(true);
  const predictions = useQueries({
    queries: initial.map((prediction) => ({
      queryKey: queryKeys.prediction(prediction.id),
      queryFn: () => fetchRoute("GET /predictions/{id}", { params: { id: prediction.id } }),
      initialData: prediction,
      refetchInterval: (query: { state: { data: Prediction | undefined } }) =>
        pollInterval(query.state.data, Date.now()),
    })),
    combine: (results) => results.map(({ data }) => data),
  });
  const ids = predictions.map(({ id }) => id);
  const inputs = inputFacts(predictions);
  const same = inputs.filter((fact) => !fact.differs).length;
  const shownInputs = onlyDifferences ? inputs.filter((fact) => fact.differs) : inputs;
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <Switch
          label={t("onlyDifferentInputs")}
          checked={onlyDifferences}
          onChange={(event) => setOnlyDifferences(event.target.checked)}
        />
        {predictions.length > 1 && (
          <ShareButton
            urls={predictions.flatMap((prediction) => outputFiles(prediction).map(({ url }) => url))}
            label={t("shareComparison")}
          />
        )}
      </div>
      <CompareTable
        label={t("predictionsSideBySide")}
        heads={predictions.map((prediction) => (
          <CompareHead key={prediction.id} prediction={prediction} ids={ids} />
        ))}
      >
        <CompareRow name={t("output")}>
          {predictions.map((prediction) => (
            <CompareCell key={prediction.id}>
              {prediction.error ? (
                <p className="wrap-anywhere">
                  <code className="text-meta text-bad">{prediction.error.code}</code>
                  <br />
                  <FailureInShort failure={prediction.error} />
                </p>
              ) : (
                <OutputPanel prediction={prediction} />
              )}
            </CompareCell>
          ))}
        </CompareRow>
        <CompareGroup name={t("input")} columns={ids.length} />
        <FactRows facts={shownInputs} ids={ids} mono highlight />
        {onlyDifferences && same > 0 && (
          <CompareRow name={t("same")}>
            <td colSpan={ids.length} translate="no" className="row-padding px-3 text-muted">
              {listText(
                t.language,
                inputs.filter((fact) => !fact.differs).map((fact) => fact.name),
                "plain",
              )}
            </td>
          </CompareRow>
        )}
        <CompareGroup name={t("time")} columns={ids.length} />
        {timings(t, predictions).map(({ name, values, longest }) => (
          <CompareRow key={name} name={name}>
            {values.map((seconds, column) => (
              <CompareCell key={ids[column]}>
                <TimingBar seconds={seconds} longest={longest} />
              </CompareCell>
            ))}
          </CompareRow>
        ))}
        <CompareGroup name={t("run")} columns={ids.length} />
        <FactRows facts={runFacts(t, useWords("amounts"), predictions)} ids={ids} />
      </CompareTable>
    </>
  );
}

interface TimingBarProps {
  seconds: number | null;
  /** Seconds of a full bar. */
  longest: number;
}

/** A duration with a bar on the comparison's common scale. */
function TimingBar({ seconds, longest }: TimingBarProps) {
  return (
    <div className="flex items-center gap-3">
      <span className="w-20 shrink-0">
        <Duration ms={seconds === null ? null : seconds * 1000} />
      </span>
      {seconds !== null && longest > 0 && (
        <svg aria-hidden className="h-1.5 min-w-0 flex-1 overflow-hidden rounded-full bg-sunken">
          <rect width={`${(seconds / longest) * 100}%`} height="100%" className="fill-busy" />
        </svg>
      )}
    </div>
  );
}

interface CompareHeadProps {
  prediction: Prediction;
  /** All compared ids, so that a column can remove its own. */
  ids: readonly string[];
}

/** The head of a column: the prediction, its status and the actions. */
function CompareHead({ prediction, ids }: CompareHeadProps) {
  const t = useWords("predictions");
  const { id, model } = prediction;
  return (
    <>
      <div className="flex items-start gap-1">
        <div className="min-w-0 flex-1">
          <p className="font-mono font-medium wrap-anywhere">{model}</p>
          <Link
            href={predictionHref(id)}
            title={id}
            className="font-mono text-meta text-accent hover:underline"
          >
            {shortenId(id)}
          </Link>
        </div>
        <Permitted to="operations:run">
          <LinkButton
            size="sm"
            variant="ghost"
            href={playgroundHref(prediction)}
            aria-label={t("tweakAndRunIdAgain", { id: shortenId(id) })}
            title={t("tweakAndRunAgain")}
            icon={<RotateCw size={14} aria-hidden />}
          />
        </Permitted>
        <LinkButton
          size="sm"
          variant="ghost"
          href={compareHref(ids.filter((other) => other !== id))}
          aria-label={t("removeIdFromTheComparison", { id: shortenId(id) })}
          title={t("remove")}
          icon={<X size={14} aria-hidden />}
        />
      </div>
      <p className="mt-1.5 flex flex-wrap items-center gap-2 text-meta text-muted">
        <PredictionStatus status={prediction.status} progress={prediction.progress} />
        <Time value={prediction.created_at} />
      </p>
    </>
  );
}

interface FactRowsProps {
  facts: readonly FactRow[];
  ids: readonly string[];
  mono?: boolean;
  /** Colours the cells of rows with differences. */
  highlight?: boolean;
}

function FactRows({ facts, ids, mono, highlight }: FactRowsProps) {
  const t = useWords("predictions");
  return facts.map((fact) => (
    <CompareRow
      key={fact.name}
      name={
        <>
          <span className={mono ? "font-mono" : undefined}>{fact.name}</span>
          {highlight && fact.differs && <span className="sr-only"> {t("differs")}</span>}
        </>
      }
    >
      {fact.values.map((value, column) => (
        <CompareCell key={ids[column]} marked={highlight === true && fact.differs}>
          {value === null ? (
            <span className="text-muted">{t("notSet")}</span>
          ) : (
            <div className="max-h-60 overflow-y-auto whitespace-pre-wrap">{value}</div>
          )}
        </CompareCell>
      ))}
    </CompareRow>
  ));
}

interface AddPredictionProps {
  ids: readonly string[];
  /** Recent runs of the same operation. Empty if the gateway cannot list them. */
  choices: readonly { id: string; label: string }[];
}

/** Adds a prediction to the comparison: a recent one, or any by its id. */
export function AddPrediction({ ids, choices }: AddPredictionProps) {
  const t = useWords("predictions");
  const router = usePageRouter();
  const [problem, setProblem] = useState<string | null>(null);
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const id = String(new FormData(event.currentTarget).get("id") ?? "").trim();
    if (!/^[A-Za-z0-9_-]{1,128}$/.test(id)) return setProblem(t("enterAnId"));
    setProblem(null);
    router.push(compareHref([...ids, id]));
  };
  return (
    <form onSubmit={add} noValidate className="mt-4 flex flex-wrap items-end gap-2">
      {choices.length > 0 ? (
        <SelectField
          label={t("anotherPrediction")}
          error={problem}
          className="w-96 max-w-full"
          name="id"
          options={choices.map(({ id, label }) => [id, label])}
        />
      ) : (
        <InputField
          label={t("predictionId")}
          error={problem}
          className="w-96 max-w-full"
          name="id"
          placeholder={idExample}
          autoComplete="off"
          mono
        />
      )}
      <Button type="submit" icon={<Plus size={16} aria-hidden />}>
        {t("add")}
      </Button>
    </form>
  );
}
