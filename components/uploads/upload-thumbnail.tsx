"use client";

import { FileAudio, FileImage, FileQuestion, FileVideo } from "lucide-react";
import { useState } from "react";
import type { Upload } from "#contract/upload.ts";
import { mediaFamily } from "@/components/media/media-family";

/** Larger images are not loaded for a thumbnail. */
const largestThumbnailBytes = 2_000_000;

const icons = { image: FileImage, audio: FileAudio, video: FileVideo, other: FileQuestion };

/** A small picture of an image, a symbol for everything else. */
export function UploadThumbnail({ upload }: { upload: Upload }) {
  // Every answer of the gateway carries a fresh link; the first one stays, or the picture would load anew each time.
  const [url, setUrl] = useState(upload.download_url);
  const family = mediaFamily(upload.content_type);
  if (!url && upload.download_url) setUrl(upload.download_url);
  const Icon = icons[family];
  return (
    <span className="flex size-9 shrink-0 items-center justify-center overflow-hidden rounded-control border bg-sunken text-faint">
      {family === "image" && url && upload.size_bytes <= largestThumbnailBytes ? (
        // biome-ignore lint/performance/noImgElement: signed URLs must not pass through an image proxy
        <img src={url} alt="" width={36} height={36} loading="lazy" className="size-full object-cover" />
      ) : (
        <Icon size={18} aria-hidden />
      )}
    </span>
  );
}
