"use client";

import { Play } from "lucide-react";
import { memo, useEffect, useRef, useState } from "react";
import type { Output } from "#contract/outputs.ts";
import { mediaFamily } from "@/components/media/media-family";
import { OutputPicture } from "@/components/media/output-picture";
import { SandboxBadge } from "@/components/media/sandbox-badge";
import { usePreferences } from "@/components/shell/preferences";
import { classNames } from "@/components/ui/class-names";
import { Checkbox } from "@/components/ui/form/checkbox";
import { formatTime } from "@/lib/format";
import { fileTitle } from "./gallery-file.ts";

export interface TileActions {
  open: (file: Output) => void;
  /** Adds its prediction to the comparison, or removes it. */
  compare: (file: Output) => void;
  /** Called when it gets the focus. */
  enter: (id: string) => void;
  /** Called when the pointer or focus enters (id) or leaves it (null). */
  rest: (id: string | null) => void;
}

interface GalleryTileProps {
  file: Output;
  /** Column in its row, from 1. */
  column: number;
  /** Whether Tab leads to it. */
  current: boolean;
  lively: boolean;
  ticked: boolean;
  actions: TileActions;
}

/** One file, shown only as a picture; text appears with the pointer and the focus. */
export const GalleryTile = memo(function GalleryTile(props: GalleryTileProps) {
  const { file, column, current, lively, ticked, actions } = props;
  const { timeZone } = usePreferences();
  const { id, model, created_at, prediction_id } = file;
  const title = fileTitle(file, timeZone);
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: its button takes the focus.
    // biome-ignore lint/a11y/useSemanticElements: as the grid.
    <div
      role="gridcell"
      aria-colindex={column}
      aria-selected={prediction_id === null ? undefined : ticked}
      onPointerMove={({ pointerType }) => pointerType === "mouse" && actions.rest(id)}
      onPointerLeave={() => actions.rest(null)}
      className="group relative min-h-0"
    >
      <button
        type="button"
        data-tile={id}
        tabIndex={current ? 0 : -1}
        aria-label={title}
        aria-haspopup="dialog"
        onClick={() => actions.open(file)}
        onFocus={() => {
          actions.enter(id);
          actions.rest(id);
        }}
        onBlur={() => actions.rest(null)}
        className={classNames(
          "relative block size-full scroll-mt-[72px] scroll-mb-[72px] overflow-hidden rounded-panel border bg-sunken",
          ticked && "border-accent ring-2 ring-(--accent)",
        )}
      >
        <OutputPicture file={file} />
      </button>
      {lively && <LivelyMedia file={file} title={title} />}
      <span
        aria-hidden
        className="pointer-events-none absolute inset-x-px bottom-px hidden rounded-b-panel border-t bg-raised px-2.5 py-1.5 text-meta group-hover:block group-has-[:focus-visible]:block"
      >
        <span className="block truncate font-mono">{model}</span>
        <span className="block truncate text-muted">{formatTime(created_at, timeZone)}</span>
      </span>
      {file.sandbox && (
        <span className="pointer-events-none absolute top-2 left-2">
          <SandboxBadge />
        </span>
      )}
      {prediction_id !== null && (
        <span
          className={classNames(
            "absolute top-2 right-2 rounded-control border bg-raised p-0.5 leading-none",
            ticked ? "flex" : "hidden group-hover:flex pointer-coarse:flex",
          )}
        >
          <Checkbox
            hideLabel
            tabIndex={-1}
            label={`Compare ${title}`}
            checked={ticked}
            onChange={() => actions.compare(file)}
          />
        </span>
      )}
    </div>
  );
});

/** Media played over a tile while it is pointed at or focused: a silent video, or a sound. */
function LivelyMedia({ file, title }: { file: Output; title: string }) {
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

/** Browsers play no sound before the person has interacted with the page; until then a button is shown. */
function LivelySound({ src, title }: { src: string; title: string }) {
  const audio = useRef<HTMLAudioElement>(null);
  const [refused, setRefused] = useState(false);
  useEffect(() => {
    const element = audio.current;
    let gone = false;
    // Leaving the tile also cancels a start in progress.
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
