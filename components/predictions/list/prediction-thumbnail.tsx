"use client";

import { AudioLines, Clapperboard, Image } from "lucide-react";
import { useState } from "react";
import type { Prediction } from "#contract/prediction.ts";
import { mediaFamily } from "@/components/media/media-family";
import { outputFiles } from "../outputs.ts";

/** Larger images are not loaded for a thumbnail. */
const largestThumbnailBytes = 2_000_000;

const icons = { image: Image, audio: AudioLines, video: Clapperboard, other: Image };

/** The first picture that came out, small; a sign of its kind for everything else. */
export function PredictionThumbnail({ prediction }: { prediction: Prediction }) {
  const [first] = outputFiles(prediction);
  const family = first
    ? mediaFamily(first.content_type)
    : prediction.api_type === "video-generation"
      ? "video"
      : "image";
  // Every answer of the gateway may carry a fresh link; the first one stays, or the picture would load anew each time.
  const [url, setUrl] = useState(first?.url);
  const [broken, setBroken] = useState(false);
  if (!url && first) setUrl(first.url);
  const Icon = icons[family];
  const small = (first?.size_bytes ?? 0) <= largestThumbnailBytes;
  return (
    <span className="grid size-9 shrink-0 place-items-center overflow-hidden rounded-control border bg-sunken text-faint">
      {first && url && family === "image" && small && !broken ? (
        // biome-ignore lint/performance/noImgElement: signed URLs must not pass through an image proxy
        <img
          src={url}
          alt=""
          width={36}
          height={36}
          loading="lazy"
          decoding="async"
          onError={() => setBroken(true)}
          className="size-full object-cover"
        />
      ) : (
        <Icon size={18} aria-hidden />
      )}
    </span>
  );
}
