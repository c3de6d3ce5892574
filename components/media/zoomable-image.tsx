import { useState } from "react";
import type { GridImage } from "./grid-image.ts";
import { LazyMediaFailure } from "./lazy-media-failure.tsx";
import { useMediaAddress } from "./use-media-address.ts";

/** `fit`, or a multiple of the image's own pixels. */
export type Zoom = "fit" | number;

const steps: Zoom[] = ["fit", 0.5, 1, 2, 4];

/** The next zoom step in a direction; stays at either end. */
export function nextZoom(zoom: Zoom, direction: 1 | -1): Zoom {
  const index = steps.indexOf(zoom) + direction;
  return steps[Math.min(steps.length - 1, Math.max(0, index))] ?? "fit";
}

export function zoomLabel(zoom: Zoom): string {
  return zoom === "fit" ? "Fit" : `${zoom * 100} %`;
}

/** Fits the window or shows real pixels in a region that scrolls by mouse, touch and arrow keys. */
export function ZoomableImage({
  image,
  zoom,
  onZoom,
}: {
  image: GridImage;
  zoom: Zoom;
  onZoom: (zoom: Zoom) => void;
}) {
  const file = useMediaAddress(image.url);
  const [loaded, setLoaded] = useState<{ url: string; width: number } | null>(null);
  const ownWidth = loaded?.url === image.url ? loaded.width : image.width;
  const scrolls = zoom !== "fit" && ownWidth !== null;
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label="Image"
      className={`size-full ${scrolls ? "overflow-auto" : "flex items-center justify-center overflow-hidden p-4"}`}
    >
      {file.failed ? (
        <LazyMediaFailure title={image.alt} {...file} />
      ) : (
        // biome-ignore lint/performance/noImgElement: signed URLs must not pass through an image proxy
        <img
          key={file.address}
          src={file.address}
          alt={image.alt}
          {...file.element}
          onLoad={(event) => setLoaded({ url: image.url, width: event.currentTarget.naturalWidth })}
          onDoubleClick={() => onZoom(zoom === "fit" ? 1 : "fit")}
          className={scrolls ? "m-auto h-auto max-w-none" : "max-h-full max-w-full object-contain"}
          style={scrolls ? { width: ownWidth * zoom } : undefined}
        />
      )}
    </section>
  );
}
