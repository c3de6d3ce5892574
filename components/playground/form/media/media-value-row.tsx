"use client";

import type { ReactNode } from "react";
import type { Media } from "@/lib/schema-form/plan";
import { MediaThumb, useMediaDescription } from "./media-thumb";

interface MediaValueRowProps {
  text: string;
  media: Media;
  /** Shown before the file's name, if the position has a meaning. */
  caption?: string;
  problem?: string | null;
  actions: ReactNode;
  id?: string;
}

/** A chosen file with its details and actions. */
export function MediaValueRow({ text, media, caption, problem, actions, id }: MediaValueRowProps) {
  const described = useMediaDescription(text, media);
  const fault = problem ?? described.problem;
  return (
    <div
      id={id}
      tabIndex={-1}
      className={`flex min-w-0 items-center gap-3 rounded-control border p-2 ${fault ? "border-bad" : ""}`}
    >
      <MediaThumb family={described.family} preview={described.preview} label={described.label} />
      <div className="min-w-0 flex-1">
        {caption && <p className="text-meta text-muted">{caption}</p>}
        <p className="truncate text-table font-medium" title={described.label}>
          {described.label}
        </p>
        {described.detail && <p className="truncate text-meta text-muted">{described.detail}</p>}
        {described.family === "audio" && described.src && (
          // biome-ignore lint/a11y/useMediaCaption: the user's own sample
          <audio
            controls
            src={described.src}
            preload="none"
            aria-label={described.label}
            className="mt-1 h-8 w-full max-w-xs"
          />
        )}
        {fault && <p className="text-meta font-medium text-bad">{fault}</p>}
      </div>
      <div className="flex shrink-0 flex-wrap items-center gap-0.5">{actions}</div>
    </div>
  );
}
