"use client";

import { Play } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Output } from "#contract/outputs.ts";
import { mediaFamily } from "@/components/media/media-family";

/** What plays over a tile while it is pointed at or focused: a video without sound, or a sound. */
export function LivelyMedia({ file, title }: { file: Output; title: string }) {
  const family = mediaFamily(file.content_type);
  if (file.url === null) return null;
  if (family === "audio") return <LivelySound src={file.url} title={title} />;
  if (family !== "video") return null;
  return (
    <video
      src={file.url}
      {...(file.preview_url && { poster: file.preview_url })}
      autoPlay
      muted
      loop
      playsInline
      aria-hidden
      className="pointer-events-none absolute inset-0 size-full rounded-panel object-contain"
    />
  );
}

/** Browsers play no sound before a person has done something on the page: then a button stands here. */
function LivelySound({ src, title }: { src: string; title: string }) {
  const audio = useRef<HTMLAudioElement>(null);
  const [refused, setRefused] = useState(false);
  useEffect(() => {
    const element = audio.current;
    let gone = false;
    // Leaving the tile ends a start that is under way, too.
    element?.play().catch((error: Error) => !gone && setRefused(error.name === "NotAllowedError"));
    return () => {
      gone = true;
      element?.pause();
    };
  }, []);
  const play = () =>
    void audio.current?.play().then(
      () => setRefused(false),
      () => {},
    );
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: generated speech has no captions */}
      <audio ref={audio} src={src} />
      {refused && (
        <button
          type="button"
          tabIndex={-1}
          aria-label={`Play ${title}`}
          onClick={play}
          className="absolute top-1/2 left-1/2 grid size-11 -translate-1/2 place-items-center rounded-full border bg-raised shadow-float"
        >
          <Play size={18} aria-hidden />
        </button>
      )}
    </>
  );
}
