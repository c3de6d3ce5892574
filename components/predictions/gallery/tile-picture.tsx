"use client";

import { AudioLines, Clapperboard, FileQuestion, Image, Lock } from "lucide-react";
import { useState } from "react";
import type { Output } from "#contract/outputs.ts";
import { mediaFamily } from "@/components/media/media-family";
import { reportFailure } from "@/components/media/report-failure";
import { picturesOf } from "./gallery-file.ts";

const icons = { image: Image, audio: AudioLines, video: Clapperboard, other: FileQuestion };

/** The picture, poster or waveform of a file; a sign of its kind where there is none, and words where the file is gone. */
export function TilePicture({ file }: { file: Output }) {
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
        className="absolute inset-0 size-full object-contain"
        {...reportFailure(() => setFailed(failed + 1))}
      />
    );
  const Icon = file.url === null ? Lock : icons[mediaFamily(file.content_type)];
  return (
    <span className="absolute inset-0 flex flex-col items-center justify-center gap-2 text-muted">
      <Icon size={28} aria-hidden />
      {file.url === null && <span className="text-meta">Confirmation needed</span>}
      {pictures.length > 0 && <span className="text-meta">{isRemoved(file) ? "Removed" : "No preview"}</span>}
    </span>
  );
}

function isRemoved({ expires_at }: Output): boolean {
  return Date.parse(expires_at) <= Date.now();
}
