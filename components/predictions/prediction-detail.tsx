"use client";

import { useQuery } from "@tanstack/react-query";
import { Columns2, RotateCw } from "lucide-react";
import dynamic from "next/dynamic";
import { useEffect, useState } from "react";
import type { ApiType } from "#contract/catalog-constants.ts";
import type { Prediction } from "#contract/prediction.ts";
import { isTerminal } from "#contract/prediction-constants.ts";
import { useWords } from "#words";
import { Permitted } from "@/components/team/permitted";
import { LinkButton } from "@/components/ui/button";
import { IdChip } from "@/components/ui/id-chip";
import { Neighbours } from "@/components/ui/list/neighbours";
import { MetadataPairs } from "@/components/ui/metadata-pairs";
import { Money } from "@/components/ui/money";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { Duration } from "@/components/ui/quantity";
import { Tabs } from "@/components/ui/tabs";
import { WhenSeen } from "@/components/ui/when-seen";
import { failureBehind, fetchRoute, orThrow } from "@/lib/browser/fetch-from-gateway";
import { callRoute } from "@/lib/browser/gateway";
import { rememberId } from "@/lib/browser/remembered-ids";
import { isCompared } from "@/lib/compare/kinds";
import { useOutputsOfRun } from "@/lib/outputs/outputs-of-run";
import { predictionList } from "@/lib/prediction-lists";
import { queryKeys } from "@/lib/query-keys";
import { isDeliveryLive } from "@/lib/status/delivery";
import { predictionLook } from "@/lib/status/prediction";
import { usageLabel } from "@/lib/usage-label";
import type { PredictionDeliveries } from "@/lib/webhooks/delivery-story";
import { DeliveriesPanel } from "./deliveries-panel.tsx";
import { compareHref, gatewayUrl, playgroundHref } from "./links.ts";
import { OutputPanel } from "./output-panel.tsx";
import { outputFiles } from "./outputs.ts";
import { pollInterval } from "./poll-interval.ts";
import { PredictionStatus, predictionTitle } from "./prediction-status.tsx";
import { PredictionTimeline } from "./timeline/prediction-timeline.tsx";

const Keeping = dynamic(() => import("./keeping.tsx").then((module) => module.Keeping), {
  loading: () => null,
});
const CancelButton = dynamic(() => import("./cancel-button.tsx").then((module) => module.CancelButton), {
  loading: () => null,
});
const FailurePanel = dynamic(() => import("./failure-panel.tsx").then((module) => module.FailurePanel), {
  loading: () => null,
});
const InputPanel = dynamic(() => import("./input-panel.tsx").then((module) => module.InputPanel), {
  loading: () => null,
});
const JsonView = dynamic(() => import("@/components/ui/json-view").then((module) => module.JsonView), {
  loading: () => null,
});
const RunCostSection = dynamic(() => import("./run-cost.tsx").then((module) => module.RunCostSection), {
  loading: () => null,
});
const ReceiptSection = dynamic(
  () => import("./receipt-section.tsx").then((module) => module.ReceiptSection),
  { loading: () => null },
);
const OutputProvenance = dynamic(
  () => import("@/components/provenance/output-provenance").then((module) => module.OutputProvenance),
  { loading: () => null },
);
const NotesSection = dynamic(
  () => import("@/components/notes/notes-section").then((module) => module.NotesSection),
  { loading: () => null },
);

interface PredictionDetailProps {
  initial: Prediction;
  /** Null while the prediction runs, or when the deliveries could not be read. */
  initialDeliveries: PredictionDeliveries | null;
  initialNowMs: number;
  view: typeof predictionList.empty;
  /** The first words of the input. Null: it has none. */
  inputTitle: string | null;
  /** The open tab, as in the address. */
  tab?: string | null;
}

const tabNames = ["output", "timeline", "input", "raw"] as const;
type TabName = (typeof tabNames)[number];

/** Everything about one prediction, read again until nothing can change any more. */
export function PredictionDetail(props: PredictionDetailProps) {
  const t = useWords("predictions");
  const states = useWords("states");
  const { initial, initialDeliveries, initialNowMs, view } = props;
  const [tab, setTab] = useState<TabName>(tabNames.find((name) => name === props.tab) ?? "output");
  const { data: prediction, error, refetch } = usePrediction(initial);
  const { data: deliveries, refetch: refetchDeliveries } = useDeliveries(prediction, initialDeliveries);
  const { data: outputs } = useOutputsOfRun(prediction.id, {
    enabled: outputFiles(prediction).length > 0 && !prediction.data_removed,
  });
  const kept = outputs?.data.filter((output) => output.kept) ?? [];
  const look = predictionLook(states, prediction.status);
  const failure = failureBehind(error);

  useEffect(() => {
    document.title = `${predictionTitle(t, states, prediction)} · Gatehouse`;
  }, [t, states, prediction]);
  useEffect(() => rememberId("prediction", initial.id), [initial.id]);

  return (
    <>
      <PageHeader
        title={<span className="font-mono">{prediction.model}</span>}
        actions={
          <>
            <Neighbours
              noun="prediction"
              list="/predictions"
              search={predictionList.searchOf(view)}
              id={prediction.id}
              queryKey={queryKeys.predictions}
              read={(side, signal) =>
                callRoute("GET /predictions", {
                  query: { ...predictionList.filterOf(view, Date.now()), ...side },
                  signal,
                })
              }
            />
            <LinkButton href={compareHref([prediction.id])} icon={<Columns2 size={16} aria-hidden />}>
              {t("compare")}
            </LinkButton>
            {look.canCancel && <CancelButton prediction={prediction} />}
            {isCompared(prediction.api_type as ApiType) && (
              <Permitted to="operations:run">
                <LinkButton href={`/compare?from=${prediction.id}`}>{t("tryOnOtherModels")}</LinkButton>
              </Permitted>
            )}
            <Permitted to="operations:run">
              <LinkButton
                href={playgroundHref(prediction)}
                variant={look.terminal ? "primary" : "secondary"}
                icon={<RotateCw size={16} aria-hidden />}
              >
                {t("tweakAndRunAgain")}
              </LinkButton>
            </Permitted>
          </>
        }
      />
      <InputSummary prediction={prediction} title={props.inputTitle} />
      {failure && <ErrorPanel error={failure} onRetry={() => void refetch()} />}
      {prediction.error && <FailurePanel prediction={prediction} />}
      <Tabs<TabName>
        label={t("predictionDetails")}
        value={tab}
        onChange={(next) => {
          setTab(next);
          keepInAddress(next);
        }}
        beside="timeline"
        head={<State prediction={prediction} />}
        tabs={[
          {
            value: "output",
            label: t("output"),
            content: (
              <>
                <OutputPanel prediction={prediction} />
                <WhenSeen className="mt-4 min-h-12">
                  <Keeping prediction={prediction} />
                </WhenSeen>
                {prediction.status === "succeeded" && !prediction.data_removed && (
                  <WhenSeen className="min-h-6">
                    <OutputProvenance prediction={prediction} />
                  </WhenSeen>
                )}
              </>
            ),
          },
          {
            value: "timeline",
            label: t("timeline"),
            content: (
              <>
                <Section title={t("timeline")} className="mb-4!">
                  <PredictionTimeline
                    prediction={prediction}
                    deliveries={deliveries?.newest ?? []}
                    kept={kept}
                    initialNowMs={initialNowMs}
                  />
                </Section>
                <RunFacts prediction={prediction} />
                {deliveries && look.terminal && (
                  <DeliveriesPanel
                    prediction={prediction}
                    deliveries={deliveries}
                    onQueued={() => void refetchDeliveries()}
                  />
                )}
                <WhenSeen className="min-h-16">
                  <NotesSection subject={{ kind: "prediction", id: prediction.id }} />
                </WhenSeen>
                {look.terminal && (
                  <WhenSeen className="min-h-6">
                    <RunCostSection runId={prediction.id} cost={prediction.cost} />
                    <ReceiptSection runId={prediction.id} />
                  </WhenSeen>
                )}
              </>
            ),
          },
          { value: "input", label: t("input"), content: <InputPanel prediction={prediction} /> },
          {
            value: "raw",
            label: t("rawJson"),
            content: <JsonView value={prediction} label={t("prediction")} />,
          },
        ]}
      />
    </>
  );
}

/** The address names the tab, so that a reload and a colleague open the same one. */
function keepInAddress(tab: TabName): void {
  const address = new URL(window.location.href);
  if (tab === "output") address.searchParams.delete("tab");
  else address.searchParams.set("tab", tab);
  window.history.replaceState(null, "", address);
}

function State({ prediction }: { prediction: Prediction }) {
  const t = useWords("predictions");
  const { label, terminal } = predictionLook(useWords("states"), prediction.status);
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-2">
      <PredictionStatus status={prediction.status} progress={prediction.progress} />
      <IdChip id={prediction.id} />
      <MetadataPairs metadata={prediction.metadata} />
      <span role="status" className="sr-only">
        {terminal ? t("predictionFinishedLabel", { label }) : t("predictionStatusLabel", { label })}
      </span>
    </div>
  );
}

/** What ran, where, how long and for how much. The timeline has the times. */
function RunFacts({ prediction }: { prediction: Prediction }) {
  const t = useWords("predictions");
  const amounts = useWords("amounts");
  const { api_type, svc_region, alias, usage, cost, metrics } = prediction;
  const facts = [
    [t("operation"), api_type],
    [t("region"), svc_region],
    [t("requestedAs"), alias],
    [t("took"), metrics.total_time === null ? null : <Duration key="took" ms={metrics.total_time * 1000} />],
    [t("used"), usage && usageLabel(amounts, usage)],
    [t("cost"), cost && <Money key="cost" {...cost} />],
  ] as const;
  return (
    <dl className="mb-6 grid grid-cols-2 gap-x-4 gap-y-1.5 rounded-panel border bg-panel px-3 py-2 text-table phone:grid-cols-3">
      {facts
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => (
          <div key={name} className="min-w-0 phone:last:col-span-2">
            <dt className="text-meta text-muted">{name}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** The prediction, read again until nothing can change any more. Reading pauses while the page is hidden. */
function usePrediction(initial: Prediction) {
  return useQuery({
    queryKey: queryKeys.prediction(initial.id),
    queryFn: ({ signal }) => fetchRoute("GET /predictions/{id}", { params: { id: initial.id }, signal }),
    initialData: initial,
    refetchInterval: (query) => pollInterval(query.state.data, Date.now()),
  });
}

const everyMs = 3_000;
/** An event's deliveries are written with the final status, but a first answer may be slightly older. */
const settleMs = 15_000;

/**
 * The deliveries of a prediction's event with their attempts, read again while any may change. `initial` came
 * with the page, or is null.
 */
function useDeliveries(prediction: Prediction, initial: PredictionDeliveries | null) {
  return useQuery({
    queryKey: queryKeys.deliveries({ prediction_id: prediction.id, detail: true }),
    queryFn: async () => {
      // Not loaded for a run that ended some time ago, whose deliveries came with the page.
      const [{ browserStoryReads }, { loadPredictionDeliveries }] = await Promise.all([
        import("@/lib/webhooks/browser-reads"),
        import("@/lib/webhooks/delivery-story"),
      ]);
      return orThrow(await loadPredictionDeliveries(browserStoryReads, prediction.id));
    },
    ...(initial && { initialData: initial }),
    enabled: isTerminal(prediction.status),
    refetchInterval: (query) => {
      const endedMs = Date.parse(prediction.completed_at ?? prediction.created_at);
      const settling = Date.now() - endedMs < settleMs;
      return settling || query.state.data?.newest.some(isDeliveryLive) ? everyMs : false;
    },
  });
}

const InputThumbs = dynamic(() => import("./input-thumbs.tsx").then((module) => module.InputThumbs), {
  ssr: false,
  // As high as the pictures.
  loading: () => <span className="size-14" />,
});

/**
 * Whether an input may refer to a file of this gateway. Most inputs do not, so the code that searches for
 * files is not loaded for them.
 */
const hasMedia = /"(?:upload(?:_|:)|data:|[^"]*\/v1\/files\/)/;

/** The input in one or two lines: its pictures and the first words of its prompt. */
function InputSummary({ prediction, title }: { prediction: Prediction; title: string | null }) {
  const { input } = prediction;
  if (!input) return null;
  const thumbs = hasMedia.test(JSON.stringify(input));
  if (title === null && !thumbs) return null;
  return (
    <div className="-mt-3 mb-4 flex min-w-0 flex-wrap items-center gap-3">
      {thumbs && <InputThumbs input={input} baseUrl={gatewayUrl(prediction)} />}
      {title !== null && (
        <p
          className="line-clamp-2 max-w-[90ch] min-w-0 flex-1 basis-64 text-title wrap-anywhere"
          title={title}
        >
          {title}
        </p>
      )}
    </div>
  );
}
