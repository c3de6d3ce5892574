"use client";

import { ChevronLeft, ChevronRight, Columns2, Download, Minus, Plus, X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { useFormats, useWords } from "#words";
import { IconButton } from "@/components/ui/button";
import { CompareSlider } from "./compare-slider.tsx";
import { LazyMediaFailure, useMediaAddress } from "./lazy-media-failure.tsx";

/** An image. Its size, if known, reserves the space while it loads. */
export interface GridImage {
  url: string;
  width: number | null;
  height: number | null;
  alt: string;
  /** A smaller version for small spaces, if there is one. */
  preview?: string | null;
}

interface LightboxProps {
  images: GridImage[];
  startIndex: number;
  startComparing: boolean;
  onClose: () => void;
  /** Buttons beside the download, for the image at this index. */
  actionsOf?: (index: number) => ReactNode;
}

/** `fit`, or a multiple of the image's pixels. */
type Zoom = "fit" | number;

/**
 * One image over the whole window. Arrow keys show the next, + and − zoom, 0 fits, C compares, Esc closes.
 */
export function Lightbox({ images, startIndex, startComparing, onClose, actionsOf }: LightboxProps) {
  const t = useWords("media");
  const format = useFormats();
  const [index, setIndex] = useState(startIndex);
  const [comparing, setComparing] = useState(startComparing && images.length > 1);
  const [zoom, setZoom] = useState<Zoom>("fit");
  const dialog = useRef<HTMLDialogElement>(null);

  // Keys must go to the image or the slider, not to the first button of the bar.
  // biome-ignore lint/correctness/useExhaustiveDependencies: comparing swaps the image for the slider
  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    if (!element.open) element.showModal();
    element.querySelector<HTMLElement>("section, input")?.focus();
  }, [comparing]);

  const image = images[index];
  const other = images[(index + 1) % images.length];
  if (!image || !other) return null;

  const walk = (step: number) => {
    setIndex((current) => (current + step + images.length) % images.length);
    setZoom("fit");
  };
  const zoomBy = (direction: 1 | -1) => setZoom((current) => nextZoom(current, direction));
  const toggleCompare = () => setComparing((current) => !current && images.length > 1);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // The compare slider and a zoomed image use the arrow keys themselves.
    const arrow = event.key.startsWith("Arrow");
    if (arrow && (event.target instanceof HTMLInputElement || zoom !== "fit")) return;
    if (event.key === "ArrowLeft") walk(-1);
    else if (event.key === "ArrowRight") walk(1);
    else if (event.key === "+" || event.key === "=") zoomBy(1);
    else if (event.key === "-") zoomBy(-1);
    else if (event.key === "0") setZoom("fit");
    else if (event.key === "c") toggleCompare();
    else return;
    event.preventDefault();
  };

  return (
    <dialog
      ref={dialog}
      aria-label={image.alt}
      onKeyDown={onKeyDown}
      onClose={onClose}
      className="m-0 size-full max-h-none max-w-none bg-canvas p-0 text-ink"
    >
      <div className="flex size-full flex-col">
        <header className="flex flex-wrap items-center gap-2 border-line border-b px-3 py-2">
          <h2 className="min-w-0 flex-1 truncate text-base">
            {comparing ? t("imageAgainstOther", { image: image.alt, other: other.alt }) : image.alt}
          </h2>
          {images.length > 1 && (
            <span className="text-meta text-muted tabular-nums" aria-live="polite">
              {t("numberOfCount", { number: index + 1, count: images.length })}
            </span>
          )}
          {!comparing && (
            <>
              <IconButton
                label={t("zoomOut")}
                icon={<Minus size={16} aria-hidden />}
                onClick={() => zoomBy(-1)}
              />
              <span className="w-12 text-center text-meta text-muted tabular-nums">
                {zoom === "fit" ? t("fit") : format.percent(zoom * 100)}
              </span>
              <IconButton
                label={t("zoomIn")}
                icon={<Plus size={16} aria-hidden />}
                onClick={() => zoomBy(1)}
              />
            </>
          )}
          {images.length > 1 && (
            <IconButton
              label={comparing ? t("showOneImage") : t("compareTwoImages")}
              aria-pressed={comparing}
              icon={<Columns2 size={16} aria-hidden />}
              onClick={toggleCompare}
            />
          )}
          {!comparing && actionsOf?.(index)}
          <a
            href={image.url}
            download
            aria-label={t("downloadThisImage")}
            className="inline-flex size-8 items-center justify-center rounded-control text-muted hover:bg-sunken hover:text-ink"
          >
            <Download size={16} aria-hidden />
          </a>
          <IconButton
            label={t("close")}
            icon={<X size={16} aria-hidden />}
            onClick={() => dialog.current?.close()}
          />
        </header>
        <div className="relative min-h-0 flex-1">
          {comparing ? (
            <div className="size-full p-4">
              <CompareSlider before={image} after={other} />
            </div>
          ) : (
            <ZoomableImage image={image} zoom={zoom} onZoom={setZoom} />
          )}
          {images.length > 1 && (
            <>
              <span className="absolute top-1/2 left-2 -translate-y-1/2 rounded-control border border-line bg-raised">
                <IconButton
                  label={t("previousImage")}
                  icon={<ChevronLeft size={20} aria-hidden />}
                  onClick={() => walk(-1)}
                />
              </span>
              <span className="absolute top-1/2 right-2 -translate-y-1/2 rounded-control border border-line bg-raised">
                <IconButton
                  label={t("nextImage")}
                  icon={<ChevronRight size={20} aria-hidden />}
                  onClick={() => walk(1)}
                />
              </span>
            </>
          )}
        </div>
      </div>
    </dialog>
  );
}

const steps: Zoom[] = ["fit", 0.5, 1, 2, 4];

/** The next zoom step in a direction. Stays at either end. */
function nextZoom(zoom: Zoom, direction: 1 | -1): Zoom {
  const index = steps.indexOf(zoom) + direction;
  return steps[Math.min(steps.length - 1, Math.max(0, index))] ?? "fit";
}

/**
 * Fits the image to the window, or shows its real pixels in a region that scrolls by mouse, touch and arrow
 * keys.
 */
function ZoomableImage({
  image,
  zoom,
  onZoom,
}: {
  image: GridImage;
  zoom: Zoom;
  onZoom: (zoom: Zoom) => void;
}) {
  const t = useWords("media");
  const file = useMediaAddress(image.url);
  const [loaded, setLoaded] = useState<{ url: string; width: number } | null>(null);
  const ownWidth = loaded?.url === image.url ? loaded.width : image.width;
  const scrolls = zoom !== "fit" && ownWidth !== null;
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={t("image")}
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
