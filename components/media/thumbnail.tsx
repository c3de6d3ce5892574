"use client";

import type { LucideIcon } from "lucide-react";
import { useState } from "react";
import { reportFailure } from "./report-failure.ts";

/** Larger images are not loaded for a thumbnail. */
const largestBytes = 2_000_000;
const sizePx = 44;

interface ThumbnailProps {
  /** A stored image; null for everything else. */
  image: { url: string; sizeBytes: number } | null;
  /** Stands for what has no picture. */
  icon: LucideIcon;
}

/** A small picture of an image, a symbol for everything else. It reaches into the padding of its row. */
export function Thumbnail({ image, icon: Icon }: ThumbnailProps) {
  const url = image && image.sizeBytes <= largestBytes ? image.url : null;
  // Every answer of the gateway carries a fresh link; one stays while it works, or the picture would load anew each time.
  const [shown, setShown] = useState(url);
  const [failed, setFailed] = useState<string | null>(null);
  if (!shown && url) setShown(url);
  const onFailed = () => (shown === url ? setFailed(url) : setShown(url));
  return (
    <span className="-my-1 grid size-11 shrink-0 place-items-center overflow-hidden rounded-control border bg-sunken text-faint">
      {url && shown && failed !== url ? (
        // biome-ignore lint/performance/noImgElement: signed URLs must not pass through an image proxy
        <img
          key={shown}
          src={shown}
          alt=""
          width={sizePx}
          height={sizePx}
          loading="lazy"
          decoding="async"
          className="size-full object-cover"
          {...reportFailure(onFailed)}
        />
      ) : (
        <Icon size={20} aria-hidden />
      )}
    </span>
  );
}
