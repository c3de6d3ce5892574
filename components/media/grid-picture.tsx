"use client";

import { Maximize2 } from "lucide-react";
import type { GridImage } from "./grid-image.ts";
import { LazyMediaFailure } from "./lazy-media-failure.tsx";
import { reservedSize } from "./reserved-size.ts";
import { useMediaAddress } from "./use-media-address.ts";

/** One image of a grid, opened by a press. */
export function GridPicture({
  image,
  alone,
  onOpen,
}: {
  image: GridImage;
  alone: boolean;
  onOpen: () => void;
}) {
  const file = useMediaAddress(image.url);
  if (file.failed) return <LazyMediaFailure title={image.alt} {...file} />;
  return (
    <button
      type="button"
      onClick={onOpen}
      className="group relative block w-full overflow-hidden rounded-panel border border-line bg-sunken"
      aria-label={`Open ${image.alt}`}
    >
      {/* biome-ignore lint/performance/noImgElement: signed URLs must not pass through an image proxy */}
      <img
        src={file.address}
        alt={image.alt}
        width={image.width ?? undefined}
        height={image.height ?? undefined}
        loading="lazy"
        decoding="async"
        {...file.element}
        style={reservedSize(image.width, image.height, alone ? "70vh" : "20rem")}
        className={`mx-auto h-auto w-auto max-w-full object-contain ${alone ? "max-h-[70vh]" : "max-h-80"}`}
      />
      <span className="absolute right-2 bottom-2 rounded-control border border-line bg-raised p-1 text-muted opacity-0 transition-opacity group-hover:opacity-100 group-focus-visible:opacity-100">
        <Maximize2 size={16} aria-hidden />
      </span>
    </button>
  );
}
