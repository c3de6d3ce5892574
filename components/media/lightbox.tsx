"use client";

import { ChevronLeft, ChevronRight, Columns2, Download, Minus, Plus, X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { IconButton } from "@/components/ui/button";
import { CompareSlider } from "./compare-slider.tsx";
import type { GridImage } from "./grid-image.ts";
import { nextZoom, type Zoom, ZoomableImage, zoomLabel } from "./zoomable-image.tsx";

interface LightboxProps {
  images: GridImage[];
  startIndex: number;
  startComparing: boolean;
  onClose: () => void;
  /** Actions beside the download, for the image at this index. */
  actionsOf?: (index: number) => ReactNode;
}

/** One image over the whole window. Arrows move to the next, + and − zoom, 0 fits, C compares, Esc closes. */
export function Lightbox({ images, startIndex, startComparing, onClose, actionsOf }: LightboxProps) {
  const [index, setIndex] = useState(startIndex);
  const [comparing, setComparing] = useState(startComparing && images.length > 1);
  const [zoom, setZoom] = useState<Zoom>("fit");
  const dialog = useRef<HTMLDialogElement>(null);

  // The image or the slider gets the keys, not the first button of the bar.
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
    // The compare slider and a zoomed image use the arrows themselves.
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
            {comparing ? `${image.alt} against ${other.alt}` : image.alt}
          </h2>
          {images.length > 1 && (
            <span className="text-meta text-muted tabular-nums" aria-live="polite">
              {index + 1} of {images.length}
            </span>
          )}
          {!comparing && (
            <>
              <IconButton
                label="Zoom out"
                icon={<Minus size={16} aria-hidden />}
                onClick={() => zoomBy(-1)}
              />
              <span className="w-12 text-center text-meta text-muted tabular-nums">{zoomLabel(zoom)}</span>
              <IconButton label="Zoom in" icon={<Plus size={16} aria-hidden />} onClick={() => zoomBy(1)} />
            </>
          )}
          {images.length > 1 && (
            <IconButton
              label={comparing ? "Show one image" : "Compare two images"}
              aria-pressed={comparing}
              icon={<Columns2 size={16} aria-hidden />}
              onClick={toggleCompare}
            />
          )}
          {!comparing && actionsOf?.(index)}
          <a
            href={image.url}
            download
            aria-label="Download this image"
            className="inline-flex size-8 items-center justify-center rounded-control text-muted hover:bg-sunken hover:text-ink"
          >
            <Download size={16} aria-hidden />
          </a>
          <IconButton
            label="Close"
            icon={<X size={16} aria-hidden />}
            onClick={() => dialog.current?.close()}
          />
        </header>
        <div className="relative min-h-0 flex-1">
          {comparing ? (
            <CompareSlider before={image} after={other} />
          ) : (
            <ZoomableImage image={image} zoom={zoom} onZoom={setZoom} />
          )}
          {images.length > 1 && (
            <>
              <span className="absolute top-1/2 left-2 -translate-y-1/2 rounded-control border border-line bg-raised">
                <IconButton
                  label="Previous image"
                  icon={<ChevronLeft size={20} aria-hidden />}
                  onClick={() => walk(-1)}
                />
              </span>
              <span className="absolute top-1/2 right-2 -translate-y-1/2 rounded-control border border-line bg-raised">
                <IconButton
                  label="Next image"
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
