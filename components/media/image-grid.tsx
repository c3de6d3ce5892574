"use client";

import { Columns2, Maximize2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { previewSidePx } from "#contract/output-constants.ts";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { LazyMediaFailure, useMediaAddress } from "./lazy-media-failure.tsx";
import type { GridImage } from "./lightbox.tsx";
import { reportFailure } from "./report-failure.ts";
import { reservedSize } from "./reserved-size.ts";

const Lightbox = dynamic(() => import("./lightbox.tsx").then((module) => module.Lightbox), { ssr: false });

/** Images at their own aspect ratio. Each opens the lightbox, in which two or more can be compared. */
export function ImageGrid({ images }: { images: GridImage[] }) {
  const t = useWords("media");
  const [opened, setOpened] = useState<{ index: number; compare: boolean } | null>(null);
  if (images.length === 0) return null;
  return (
    <div className="space-y-2">
      <ul className={`grid items-start gap-3 ${columnsOf(images.length)}`}>
        {images.map((image, index) => (
          <li key={image.url}>
            <GridPicture
              image={image}
              alone={images.length === 1}
              onOpen={() => setOpened({ index, compare: false })}
            />
          </li>
        ))}
      </ul>
      {images.length > 1 && (
        <Button
          size="sm"
          variant="ghost"
          icon={<Columns2 size={16} aria-hidden />}
          onClick={() => setOpened({ index: 0, compare: true })}
        >
          {t("compare")}
        </Button>
      )}
      {opened && (
        <Lightbox
          images={images}
          startIndex={opened.index}
          startComparing={opened.compare}
          onClose={() => setOpened(null)}
        />
      )}
    </div>
  );
}

function columnsOf(count: number): string {
  if (count === 1) return "grid-cols-1";
  return count === 2 || count === 4 ? "grid-cols-1 sm:grid-cols-2" : "grid-cols-2 lg:grid-cols-3";
}

/** An image in a grid. Pressing it opens it. */
function GridPicture({ image, alone, onOpen }: { image: GridImage; alone: boolean; onOpen: () => void }) {
  const t = useWords("media");
  const file = useMediaAddress(image.url);
  const [failedPreview, setFailedPreview] = useState<string | null>(null);
  const sources = image.preview === failedPreview ? undefined : sourcesOf(image, file.address);
  if (file.failed) return <LazyMediaFailure title={image.alt} {...file} />;
  return (
    <button
      type="button"
      onClick={onOpen}
      className="group relative block w-full overflow-hidden rounded-panel border border-line bg-sunken"
      aria-label={t("openAlt", { alt: image.alt })}
    >
      {/* biome-ignore lint/performance/noImgElement: signed URLs must not pass through an image proxy */}
      <img
        key={sources ?? file.address}
        sizes={sources && "auto, 100vw"}
        srcSet={sources}
        src={file.address}
        alt={image.alt}
        width={image.width ?? undefined}
        height={image.height ?? undefined}
        loading="lazy"
        decoding="async"
        {...(sources ? reportFailure(() => setFailedPreview(image.preview ?? null)) : file.element)}
        style={reservedSize(image.width, image.height, alone ? "60vh" : "20rem")}
        className={`mx-auto h-auto w-auto max-w-full object-contain ${alone ? "max-h-[60vh]" : "max-h-80"}`}
      />
      <span className="absolute right-2 bottom-2 rounded-control border border-line bg-raised p-1 text-muted opacity-0 transition-opacity group-hover:opacity-100 group-focus-visible:opacity-100">
        <Maximize2 size={16} aria-hidden />
      </span>
    </button>
  );
}

/** The browser loads the smaller preview if the image is displayed no wider than the preview. */
function sourcesOf({ preview, width, height }: GridImage, address: string): string | undefined {
  if (!preview || !width || !height) return undefined;
  const previewWidth = Math.round(width * Math.min(1, previewSidePx / Math.max(width, height)));
  return `${preview} ${previewWidth}w, ${address} ${width}w`;
}
