"use client";

import type { BatchRow } from "#contract/batches.ts";
import type { GridImage } from "@/components/media/grid-image";
import { LazyMediaFailure, useMediaAddress } from "@/components/media/lazy-media-failure";
import { mediaFamily } from "@/components/media/media-family";
import type { ShownFile } from "@/components/media/media-preview";
import { shownFiles } from "@/components/predictions/outputs";

interface PictureFrameProps {
  image: GridImage;
  /** Another picture, visible to the left of `cut` percent of the frame. */
  over: GridImage | null;
  cut: number;
  onOpen: (image: GridImage) => void;
}

/**
 * A picture in a square frame, so that all frames have the same size. Pressing the picture opens it large.
 */
export function PictureFrame({ image, over, cut, onOpen }: PictureFrameProps) {
  const file = useMediaAddress(image.url);
  if (file.failed) return <LazyMediaFailure title={image.alt} {...file} />;
  return (
    <button
      type="button"
      data-frame
      onClick={() => onOpen(image)}
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
  );
}

/** A file of a row as a picture of the comparison. */
export function pictureOf(row: BatchRow, file: ShownFile, index: number): GridImage {
  const { url, width, height } = file;
  return { url, width, height, alt: `Output ${index + 1} of ${row.model}`, preview: file.preview_url };
}

interface RowPicture {
  row: number;
  model: string;
  image: GridImage;
}

/** All pictures of the rows, in their order on the wall. */
export function picturesOfRows(rows: readonly BatchRow[]): RowPicture[] {
  return rows.flatMap((row) =>
    shownFiles(row.data ?? []).flatMap((file, index) =>
      mediaFamily(file.content_type) === "image"
        ? [{ row: row.row, model: row.model, image: pictureOf(row, file, index) }]
        : [],
    ),
  );
}
