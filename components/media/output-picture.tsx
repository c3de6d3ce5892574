"use client";

import { AudioLines, Clapperboard, FileQuestion, Image, Lock } from "lucide-react";
import { useState } from "react";
import type { Output } from "#contract/outputs.ts";
import { useWords } from "#words";
import { mediaFamily } from "./media-family.ts";
import { reportFailure } from "./report-failure.ts";

const icons = { image: Image, audio: AudioLines, video: Clapperboard, other: FileQuestion };

interface OutputPictureProps {
  file: Output;
  /** Fills the box and cuts off the picture's edges, except those of a waveform. */
  cover?: boolean;
}

/** The picture, poster or waveform of a file, an icon of its kind, or a text if the file is gone. */
export function OutputPicture({ file, cover = false }: OutputPictureProps) {
  const t = useWords("media");
  const [failed, setFailed] = useState(0);
  const pictures = picturesOf(file);
  const src = pictures[failed];
  if (src !== undefined)
    return (
      // biome-ignore lint/performance/noImgElement: signed URLs must not pass through an image proxy
      <img
        key={src}
        src={src}
        alt=""
        loading="lazy"
        decoding="async"
        draggable={false}
        className={`absolute inset-0 size-full ${cover && mediaFamily(file.content_type) !== "audio" ? "object-cover" : "object-contain"}`}
        {...reportFailure(() => setFailed(failed + 1))}
      />
    );
  const Icon = file.url === null ? Lock : icons[mediaFamily(file.content_type)];
  return (
    <span className="absolute inset-0 flex flex-col items-center justify-center gap-2 text-muted">
      <Icon size={28} aria-hidden />
      {file.url === null && <span className="text-meta">{t("confirmationNeeded")}</span>}
      {pictures.length > 0 && (
        <span className="text-meta">{isRemoved(file) ? t("removed") : t("noPreview")}</span>
      )}
    </span>
  );
}

function isRemoved({ expires_at }: Output): boolean {
  return Date.parse(expires_at) <= Date.now();
}

/** URLs of the file's picture, best first: previews, then the file itself if it is an image. */
function picturesOf({ url, preview_url, content_type }: Output): string[] {
  if (url === null) return [];
  return [preview_url, mediaFamily(content_type) === "image" ? url : null].filter(
    (address) => address !== null,
  );
}
