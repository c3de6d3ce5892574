"use client";

import { ExternalLink, RotateCw } from "lucide-react";
import type { Output } from "#contract/outputs.ts";
import { useWords } from "#words";
import { ConfirmationNeeded } from "@/components/attestations/confirmation-needed";
import { KeepOutput } from "@/components/library/keep-output";
import { Lightbox } from "@/components/media/lightbox";
import { mediaFamily } from "@/components/media/media-family";
import { MediaPreview } from "@/components/media/media-preview";
import { SandboxBadge } from "@/components/media/sandbox-badge";
import { ShareButton } from "@/components/shares/share-button";
import { usePreferences } from "@/components/shell/preferences";
import { Permitted } from "@/components/team/permitted";
import { LinkButton } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { leaveList } from "@/components/ui/list/row-return";
import { placeOf } from "@/lib/paths";
import { playgroundHref, predictionHref } from "../links.ts";
import { fileTitle } from "./gallery-file.ts";

interface GalleryViewerProps {
  file: Output;
  /** All loaded files. The arrow keys move between the images among them. */
  files: readonly Output[];
  onClose: () => void;
}

/** One file in large: an image over the whole window, sound and video in their players. */
export function GalleryViewer({ file, files, onClose }: GalleryViewerProps) {
  const ui = useWords("ui");
  const { timeZone } = usePreferences();
  const title = fileTitle(ui, file, timeZone);
  if (file.url !== null && mediaFamily(file.content_type) === "image") {
    const images = files.filter(
      ({ url, content_type }) => url !== null && mediaFamily(content_type) === "image",
    );
    return (
      <Lightbox
        images={images.map((image) => ({
          url: image.url ?? "",
          width: null,
          height: null,
          alt: fileTitle(ui, image, timeZone),
        }))}
        startIndex={images.indexOf(file)}
        startComparing={false}
        onClose={onClose}
        actionsOf={(index) => images[index] && <FileActions file={images[index]} />}
      />
    );
  }
  return (
    <Dialog open onOpenChange={onClose} title={title} size="lg" footer={<FileActions file={file} />}>
      {file.url === null ? (
        <ConfirmationNeeded model={file.model} />
      ) : (
        <MediaPreview
          file={{ ...file, url: file.url, width: null, height: null, duration: null }}
          title={title}
        />
      )}
    </Dialog>
  );
}

/** Actions for a file, and links to its prediction and to running it again. */
function FileActions({ file }: { file: Output }) {
  const { url, run_id: runId, position, sandbox } = file;
  return (
    <>
      {sandbox && <SandboxBadge />}
      {url !== null && (
        <>
          <KeepOutput runId={runId} index={position - 1} />
          <ShareButton urls={[url]} />
        </>
      )}
      <FileLinks file={file} />
    </>
  );
}

function FileLinks({ file: { id: row, prediction_id: id, model, api_type } }: { file: Output }) {
  const t = useWords("predictions");
  if (id === null) return <span className="text-meta text-muted">{t("thisRequestWasAnsweredAt")}</span>;
  const page = predictionHref(id);
  return (
    <>
      <LinkButton
        size="sm"
        href={page}
        icon={<ExternalLink size={14} aria-hidden />}
        onClick={() => leaveList(placeOf(window.location.pathname).path + window.location.search, page, row)}
      >
        {t("openPrediction")}
      </LinkButton>
      {api_type !== null && (
        <Permitted to="operations:run">
          <LinkButton
            size="sm"
            href={playgroundHref({ id, model, api_type })}
            icon={<RotateCw size={14} aria-hidden />}
          >
            {t("tweakAndRunAgain")}
          </LinkButton>
        </Permitted>
      )}
    </>
  );
}
