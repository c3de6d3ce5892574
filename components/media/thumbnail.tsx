"use client";

import type { LucideIcon } from "lucide-react";
import { useState } from "react";
import { reportFailure } from "./report-failure.ts";

const sizes = {
  row: { px: 44, className: "-my-1 size-11" },
  field: { px: 56, className: "size-14" },
  large: { px: 240, className: "size-60 max-w-full" },
} as const;

interface ThumbnailProps {
  /** URL of the file's preview. Null without one. */
  preview: string | null;
  /** Shown without a picture. */
  icon: LucideIcon;
  alt?: string;
  /** `row` extends into the padding of its row. */
  size?: keyof typeof sizes;
}

/** A small picture of a file, or its icon. Never loads the file itself. */
export function Thumbnail({ preview, icon: Icon, alt = "", size = "row" }: ThumbnailProps) {
  const [failed, setFailed] = useState<string | null>(null);
  const { px, className } = sizes[size];
  return (
    <span
      className={`${className} grid shrink-0 place-items-center overflow-hidden rounded-control border bg-sunken text-faint`}
    >
      {preview && failed !== preview ? (
        // biome-ignore lint/performance/noImgElement: signed URLs must not pass through an image proxy
        <img
          key={preview}
          src={preview}
          alt={alt}
          width={px}
          height={px}
          loading="lazy"
          decoding="async"
          className="size-full object-cover"
          {...reportFailure(() => setFailed(preview))}
        />
      ) : (
        <>
          <Icon size={20} aria-hidden />
          {alt && <span className="sr-only">{alt}</span>}
        </>
      )}
    </span>
  );
}
