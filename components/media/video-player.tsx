"use client";

import { useState } from "react";
import { reservedSize } from "./reserved-size.ts";

/** Clips shorter than this play over and over. */
const loopBelowSeconds = 6;

interface VideoPlayerProps {
  src: string;
  title?: string;
  poster?: string | null;
  width: number | null;
  height: number | null;
  /** Seconds. */
  duration: number | null;
}

/** The browser's own player at the film's own aspect, so that nothing jumps when it loads. */
export function VideoPlayer({ src, title = "Video", poster, width, height, duration }: VideoPlayerProps) {
  const [broken, setBroken] = useState(false);
  if (broken) {
    return (
      <p className="rounded-panel border border-line bg-sunken p-4 text-muted">
        This browser cannot play the file.{" "}
        <a href={src} download className="text-accent underline">
          Download it
        </a>{" "}
        instead; when the link has expired, reload the page.
      </p>
    );
  }
  return (
    <video
      controls
      playsInline
      preload="metadata"
      src={src}
      {...(poster && { poster })}
      width={width ?? undefined}
      height={height ?? undefined}
      loop={duration !== null && duration < loopBelowSeconds}
      aria-label={title}
      onError={() => setBroken(true)}
      style={reservedSize(width, height, "70vh")}
      className="mx-auto h-auto max-h-[70vh] w-auto max-w-full rounded-panel border border-line bg-sunken"
    />
  );
}
