"use client";

import { memo } from "react";
import type { Output } from "#contract/outputs.ts";
import { OutputPicture } from "@/components/media/output-picture";
import { SandboxBadge } from "@/components/media/sandbox-badge";
import { usePreferences } from "@/components/shell/preferences";
import { classNames } from "@/components/ui/class-names";
import { Checkbox } from "@/components/ui/form/checkbox";
import { formatTime } from "@/lib/format";
import { fileTitle } from "./gallery-file.ts";
import { LivelyMedia } from "./lively-media.tsx";

export interface TileActions {
  open: (file: Output) => void;
  /** Takes its prediction into the comparison, or out of it. */
  compare: (file: Output) => void;
  /** It has the focus. */
  enter: (id: string) => void;
  /** It is pointed at or focused, or no longer. */
  rest: (id: string | null) => void;
}

interface GalleryTileProps {
  file: Output;
  /** In its row, from 1. */
  column: number;
  /** The one that Tab leads to. */
  current: boolean;
  lively: boolean;
  ticked: boolean;
  actions: TileActions;
}

/** One file: nothing but its picture; words come with the pointer and the focus. */
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
