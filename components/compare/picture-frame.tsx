"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import type { BatchRow } from "#contract/batches.ts";
import type { GridImage } from "@/components/media/grid-image";
import { LazyMediaFailure, useMediaAddress } from "@/components/media/lazy-media-failure";
import { mediaFamily } from "@/components/media/media-family";
import type { ShownFile } from "@/components/media/media-preview";
import { shownFiles } from "@/components/predictions/outputs";

const Lightbox = dynamic(() => import("@/components/media/lightbox").then((module) => module.Lightbox), {
  ssr: false,
});

interface PictureFrameProps {
  image: GridImage;
  /** Another picture, shown left of `cut` percent of the frame. */
  over: GridImage | null;
  cut: number;
}

/** A picture whole in a square frame, so that all frames of a wall are equal; pressing it opens it large. */
export function PictureFrame({ image, over, cut }: PictureFrameProps) {
  const [opened, setOpened] = useState(false);
  const file = useMediaAddress(image.url);
  if (file.failed) return <LazyMediaFailure title={image.alt} {...file} />;
  return (
    <>
      <button
        type="button"
        onClick={() => setOpened(true)}
        aria-label={`Open ${image.alt}`}
        className="relative block aspect-square w-full overflow-hidden rounded-panel border border-line bg-sunken"
      >
        {/* biome-ignore lint/performance/noImgElement: signed URLs must not pass through an image proxy */}
        <img
          src={file.address}
          alt={image.alt}
          loading="lazy"
          decoding="async"
          className="absolute inset-0 size-full object-contain"
          style={over ? { clipPath: `inset(0 0 0 ${cut}%)` } : undefined}
          {...file.element}
        />
        {over && (
          <>
            {/* biome-ignore lint/performance/noImgElement: signed URLs must not pass through an image proxy */}
            <img
              src={over.url}
              alt=""
              className="absolute inset-0 size-full object-contain"
              style={{ clipPath: `inset(0 ${100 - cut}% 0 0)` }}
            />
            <span
              aria-hidden
              className="absolute inset-y-0 w-0.5 -translate-x-1/2 bg-accent"
              style={{ left: `${cut}%` }}
            />
          </>
        )}
      </button>
      {opened && (
        <Lightbox
          images={over ? [image, over] : [image]}
          startIndex={0}
          startComparing={false}
          onClose={() => setOpened(false)}
        />
      )}
    </>
  );
}

/** A file of a row as a picture of the wall. */
export function pictureOf(row: BatchRow, file: ShownFile, index: number): GridImage {
  const { url, width, height } = file;
  return { url, width, height, alt: `Output ${index + 1} of ${row.model}`, preview: file.preview_url };
}

/** The first picture of each row that has one. */
export function picturesOfRows(
  rows: readonly BatchRow[],
): { row: number; model: string; image: GridImage }[] {
  return rows.flatMap((row) => {
    const [file] = shownFiles(row.data ?? []);
    return file && mediaFamily(file.content_type) === "image"
      ? [{ row: row.row, model: row.model, image: pictureOf(row, file, 0) }]
      : [];
  });
}
