"use client";

import { useWords } from "#words";
import { LazyMediaFailure, useMediaAddress } from "./lazy-media-failure.tsx";
import { reservedSize } from "./reserved-size.ts";

/** Shorter clips loop. */
const loopBelowSeconds = 6;

interface VideoPlayerProps {
  src: string;
  title?: string;
  poster?: string | null;
  width: number | null;
  height: number | null;
  /** In seconds. */
  duration: number | null;
}

/**
 * The browser's own player at the video's aspect ratio, so that the page does not jump when the video loads.
 */
export function VideoPlayer({ src, title: given, poster, width, height, duration }: VideoPlayerProps) {
  const t = useWords("media");
  const title = given ?? t("video");
  const file = useMediaAddress(src);
  if (file.failed) return <LazyMediaFailure title={title} {...file} />;
  return (
    <video
      controls
      playsInline
      preload="metadata"
      src={file.address}
      {...(poster && { poster })}
      width={width ?? undefined}
      height={height ?? undefined}
      loop={duration !== null && duration < loopBelowSeconds}
      aria-label={title}
      {...file.element}
      style={reservedSize(width, height, "60vh")}
      className="mx-auto h-auto max-h-[60vh] w-auto max-w-full rounded-panel border border-line bg-sunken"
    />
  );
}
