import dynamic from "next/dynamic";
import { useState } from "react";
import type { Prediction } from "#contract/prediction.ts";
import { isTerminal } from "#contract/prediction-constants.ts";
import { useWords } from "#words";
import { OutputActions } from "@/components/library/output-actions";
import { ImageGrid } from "@/components/media/image-grid";
import type { GridImage } from "@/components/media/lightbox";
import { mediaFamily } from "@/components/media/media-family";
import { MediaPreview, type ShownFile } from "@/components/media/media-preview";
import { comparedSize } from "@/components/media/reserved-size";
import { SandboxBadge } from "@/components/media/sandbox-badge";
import { ShareButton } from "@/components/shares/share-button";
import { useAccess } from "@/components/team/access";
import { LinkButton } from "@/components/ui/button";
import { Progress } from "@/components/ui/progress";
import { formatBytes, formatDuration } from "@/lib/format";
import { retentionIn } from "@/lib/retention";
import type { Language } from "@/messages/languages";
import { gatewayUrl, playgroundHref } from "./links.ts";
import { outputFileName, outputFiles } from "./outputs.ts";

const AudioPlayer = dynamic(
  () => import("@/components/media/audio-player").then((module) => module.AudioPlayer),
  { loading: () => null },
);

const EditedImages = dynamic(
  () => import("@/components/media/edited-images").then((module) => module.EditedImages),
  { loading: () => null },
);

const ConfirmationNeeded = dynamic(
  () => import("@/components/attestations/confirmation-needed").then((module) => module.ConfirmationNeeded),
  { loading: () => null },
);

const EmptyState = dynamic(
  () => import("@/components/ui/page/empty-state").then((module) => module.EmptyState),
  { loading: () => null },
);

/** The outputs, or the reason why there are none. */
export function OutputPanel({ prediction }: { prediction: Prediction }) {
  const t = useWords("predictions");
  const files = outputFiles(prediction);
  if (prediction.data_removed) return <Removed prediction={prediction} />;
  if (prediction.gated) return <ConfirmationNeeded model={prediction.model} />;
  if (files.length > 0) return <Files prediction={prediction} files={files} />;
  if (!isTerminal(prediction.status)) return <Underway prediction={prediction} />;
  return (
    <EmptyState
      drawing="frames"
      title={t("noOutput")}
      body={prediction.status === "succeeded" ? t("producedNoFiles") : t("finishedWithoutOutput")}
    />
  );
}

function Files({ prediction, files }: { prediction: Prediction; files: ShownFile[] }) {
  const t = useWords("predictions");
  const title = (index: number) =>
    files.length === 1
      ? t("outputOf", { model: prediction.model })
      : t("outputNumberOf", { number: index + 1, model: prediction.model });
  const named = files.map((file, index) => ({
    file,
    title: title(index),
    name: outputFileName(prediction.id, file, index, files.length),
  }));
  const images: GridImage[] = named
    .filter(({ file }) => mediaFamily(file.content_type) === "image")
    .map(({ file, title }) => ({ url: file.url, width: file.width, height: file.height, alt: title }));
  return (
    <div className="space-y-4">
      {prediction.sandbox && <SandboxBadge />}
      {images.length > 0 &&
        (prediction.api_type === "image-editing" && prediction.input ? (
          // The frame is in place before the slider has loaded.
          <div style={images[0] && images.length === 1 ? comparedSize(images[0]) : undefined}>
            <EditedImages images={images} input={prediction.input} baseUrl={gatewayUrl(prediction)} />
          </div>
        ) : (
          <ImageGrid images={images} />
        ))}
      {named
        .filter(({ file }) => mediaFamily(file.content_type) !== "image")
        .map(({ file, title }) =>
          mediaFamily(file.content_type) === "audio" ? (
            <AudioPlayer key={file.url} src={file.url} title={title} />
          ) : (
            <MediaPreview key={file.url} file={file} title={title} />
          ),
        )}
      <ul className="divide-y divide-line rounded-panel border text-table">
        {named.map(({ file, name }) => (
          <li key={file.url} className="flex flex-wrap items-center gap-x-4 px-3 py-1.5">
            <span className="min-w-0 flex-1 basis-40 truncate font-mono text-meta">{name}</span>
            <span className="tabular text-meta text-muted">{factsOf(file, t.language)}</span>
            <span className="-mx-2 flex min-w-0 basis-full">
              <OutputActions url={file.url} name={name} fileName={name} />
            </span>
          </li>
        ))}
      </ul>
      {files.length > 1 && (
        <ShareButton urls={files.map(({ url }) => url)} label={t("shareTogether")} of={prediction.id} />
      )}
      <OutputLabels prediction={prediction} />
    </div>
  );
}

function factsOf(file: ShownFile, language: Language): string {
  return [
    file.content_type,
    file.width && file.height ? `${file.width} × ${file.height}` : null,
    file.duration !== null ? formatDuration(file.duration * 1000, language) : null,
    file.size_bytes > 0 ? formatBytes(file.size_bytes) : null,
  ]
    .filter(Boolean)
    .join(" · ");
}

function Underway({ prediction }: { prediction: Prediction }) {
  const t = useWords("predictions");
  return (
    <div className="flex flex-col items-center gap-4 rounded-panel border border-dashed px-6 py-12 text-center">
      <Progress
        value={prediction.progress === null ? null : prediction.progress / 100}
        label={t("progress")}
        className="max-w-72"
      />
      <p className="text-muted">{t(prediction.status === "processing" ? "processingNow" : "queuedNow")}</p>
    </div>
  );
}

function Removed({ prediction }: { prediction: Prediction }) {
  const t = useWords("predictions");
  const { retentionMinutes } = useAccess();
  return (
    <EmptyState
      drawing="frames"
      title={t("filesRemoved")}
      body={
        retentionMinutes === null
          ? t("filesRemovedAfterRetention")
          : t("filesRemovedAfter", retentionIn(retentionMinutes))
      }
      action={<LinkButton href={playgroundHref(prediction)}>{t("openPlayground")}</LinkButton>}
    />
  );
}

const LabelList = dynamic(
  () => import("@/components/provenance/label-list").then((module) => module.LabelList),
  {
    loading: () => null,
  },
);

/** Labels to copy for publishing the files. Their code is loaded on demand. */
function OutputLabels({ prediction }: { prediction: Prediction }) {
  const t = useWords("predictions");
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="w-fit rounded-control text-table text-muted">{t("aiLabelText")}</summary>
      {isOpen && <LabelList prediction={prediction} />}
    </details>
  );
}
