"use client";

import type { ApiType, CatalogModel } from "#contract/catalog.ts";
import { isTerminal } from "#contract/prediction-constants.ts";
import { useWords } from "#words";
import { OutputActions } from "@/components/library/output-actions";
import { AudioPlayer } from "@/components/media/audio-player";
import { EditedImages } from "@/components/media/edited-images";
import { ImageGrid } from "@/components/media/image-grid";
import type { GridImage } from "@/components/media/lightbox";
import { FailurePanel } from "@/components/predictions/failure-panel";
import { Keeping } from "@/components/predictions/keeping";
import { OutputPanel } from "@/components/predictions/output-panel";
import { ShareButton } from "@/components/shares/share-button";
import { CopyButton } from "@/components/ui/copy-button";
import { JsonView } from "@/components/ui/json-view";
import { ErrorBoundary } from "@/components/ui/page/error-boundary";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Progress } from "@/components/ui/progress";
import type { Run, RunOutput } from "@/lib/browser/runs/run";
import { formatBytes } from "@/lib/format";
import { predictionLook } from "@/lib/status/prediction";
import type { Words } from "@/messages/words";
import { usePlayground } from "../use-playground.ts";
import { ChatView, Conversation } from "./chat-view.tsx";
import { RankingView, VectorsView, VoicesView } from "./data-views.tsx";
import type { RunPrediction } from "./use-run-prediction.ts";

interface RunOutputViewProps {
  run: Run;
  output: RunOutput;
  model: CatalogModel;
  prediction: RunPrediction;
  /** Continues a conversation. Null if there is none. */
  onReply: ((run: Run) => void) | null;
}

/**
 * The output of a run. Its content comes from models and upstreams, so a failure to render it must not crash
 * the page.
 */
export function RunOutputView(props: RunOutputViewProps) {
  const { run, output } = props;
  return (
    <ErrorBoundary key={`${run.key} ${output.kind}`} fallback={<Undrawable />}>
      <OutputByKind {...props} />
    </ErrorBoundary>
  );
}

function Undrawable() {
  const t = useWords("playground");
  return (
    <p role="alert" className="rounded-panel border p-4 text-muted">
      {t("thisOutputCannotBeShown")}
    </p>
  );
}

/** The view for the kind of output. */
function OutputByKind({ run, output, model, prediction, onReply }: RunOutputViewProps) {
  const t = useWords("playground");
  switch (output.kind) {
    case "chat":
      return (
        <>
          <Conversation messages={run.body.messages} />
          <ChatView
            chat={output}
            state={run.state}
            onReply={onReply && Array.isArray(run.body.messages) ? () => onReply(run) : null}
          />
        </>
      );
    case "speech":
      return (
        <>
          <AudioPlayer src={output.src} title={t("speechByModel", { model: model.id })} />
          <FileActions run={run} urls={[output.src]} fileName="speech.wav" />
          <p className="text-meta text-muted">{t("wavOfSize", { size: formatBytes(output.sizeBytes) })}</p>
        </>
      );
    case "images":
      return (
        <>
          <RunImages
            run={run}
            images={output.images.map((image, index) => ({
              ...image,
              alt: altOf(run, index, output.images.length, t),
            }))}
          />
          <FileActions run={run} urls={output.images.map(({ url }) => url)} />
        </>
      );
    case "transcript":
      return <TranscriptView text={output.text} />;
    case "voices":
      return <VoicesView action={output.action} data={output.data} />;
    case "vectors":
      return <VectorsView vectors={output.vectors} input={run.body.input} />;
    case "ranking":
      return <RankingView results={output.results} documents={run.body.documents} />;
    case "prediction":
      return <PredictionView {...prediction} />;
    case "other":
      return <JsonView value={output.body} label={t("answer")} />;
  }
}

function RunImages({ run, images }: { run: Run; images: GridImage[] }) {
  const { baseUrl, operation } = usePlayground();
  if (apiTypeOf(run) !== "image-editing") return <ImageGrid images={images} />;
  return <EditedImages images={images} input={run.body} example={operation.example} baseUrl={baseUrl} />;
}

/** The operation of a run, whose id ends with it: `svc/chat-1:chat-completions`. */
function apiTypeOf({ operationId }: Run): ApiType {
  return operationId.split(":").at(-1) as ApiType;
}

/**
 * The actions for each file of a run that is stored only in this browser, because it is not a prediction. They send
 * the input too, which the gateway has not stored.
 */
function FileActions({ run, urls, fileName }: { run: Run; urls: readonly string[]; fileName?: string }) {
  const t = useWords("playground");
  const { model: _, ...input } = run.body;
  const isOne = urls.length === 1;
  return (
    <>
      {urls.map((url, index) => (
        <div key={url} className="flex items-center gap-2 text-table">
          {!isOne && <span className="text-muted">{index + 1}</span>}
          <OutputActions
            url={url}
            {...(fileName && { fileName })}
            {...(!isOne && { name: t("fileNumber", { number: index + 1 }) })}
            source={{ api_type: apiTypeOf(run), input }}
          />
        </div>
      ))}
      {!isOne && <ShareButton urls={urls} label={t("shareTogether")} />}
    </>
  );
}

/** The state of an async run beside its input. The prediction's page has all details. */
export function PredictionView({ prediction, failure, onRetry }: RunPrediction) {
  const t = useWords("playground");
  const states = useWords("states");
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <p role="status" className="sr-only">
        {prediction && spokenStatus(prediction.status, t, states)}
      </p>
      {failure && <ErrorPanel error={failure} onRetry={onRetry} />}
      {prediction && !isTerminal(prediction.status) && (
        <>
          <Progress
            value={prediction.progress === null ? null : prediction.progress / 100}
            label={t("progress")}
          />
          <p className="text-table text-muted">{t("theOutputWillAppearHere")}</p>
        </>
      )}
      {prediction?.error && <FailurePanel prediction={prediction} />}
      {prediction && isTerminal(prediction.status) && !prediction.error && (
        <OutputPanel prediction={prediction} />
      )}
      {prediction && <Keeping prediction={prediction} />}
    </div>
  );
}

function spokenStatus(status: string, t: Words<"playground">, states: Words<"states">): string {
  const { terminal, label } = predictionLook(states, status);
  return terminal ? t("predictionFinished", { status: label }) : t("predictionStatus", { status: label });
}

const excerptLength = 80;

/** Model and prompt describe a picture better than its file name. */
function altOf(run: Run, index: number, count: number, t: Words<"playground">): string {
  const prompt = typeof run.body.prompt === "string" ? run.body.prompt : "";
  const excerpt = prompt.length > excerptLength ? `${prompt.slice(0, excerptLength)}…` : prompt;
  const name = count === 1 ? t("image") : t("imageOfCount", { number: index + 1, count });
  return excerpt
    ? t("nameAndPrompt", { name, prompt: excerpt })
    : t("nameByModel", { name, model: String(run.body.model) });
}

function TranscriptView({ text }: { text: string }) {
  const t = useWords("playground");
  return (
    <article className="flex min-w-0 gap-2 rounded-panel border p-4">
      <p className="min-w-0 flex-1 whitespace-pre-wrap wrap-anywhere">
        {text || <span className="text-muted">{t("noSpeechWasDetected")}</span>}
      </p>
      <CopyButton value={text} label={t("copyTranscript")} />
    </article>
  );
}
