"use client";

import { useState } from "react";
import { useWords } from "#words";
import { LazyMediaFailure, useMediaAddress } from "./lazy-media-failure.tsx";

interface Compared {
  url: string;
  alt: string;
}

const nameLook =
  "pointer-events-none absolute bottom-2 line-clamp-2 max-w-[40%] rounded-control border bg-raised px-2 py-1 text-meta";

/** Two images on top of each other. Dragging or the arrow keys move the dividing line. */
export function CompareSlider({ before, after }: { before: Compared; after: Compared }) {
  const t = useWords("media");
  const [cut, setCut] = useState(50);
  return (
    <div className="relative size-full overflow-hidden rounded-panel has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-accent">
      <Layer image={after} from={cut} to={100} />
      <Layer image={before} from={0} to={cut} />
      <div
        aria-hidden
        className="pointer-events-none absolute inset-y-0 w-0.5 -translate-x-1/2 bg-accent"
        style={{ left: `${cut}%` }}
      >
        <span className="absolute top-1/2 left-1/2 h-10 w-3 -translate-1/2 rounded-full border-2 border-accent bg-raised" />
      </div>
      <input
        type="range"
        min={0}
        max={100}
        step="any"
        value={cut}
        onChange={(event) => setCut(Number(event.target.value))}
        aria-label={t("compare")}
        aria-valuetext={t("percentOfImage", { percent: Math.round(cut), image: before.alt })}
        className="absolute inset-0 size-full cursor-ew-resize touch-pan-y opacity-0"
      />
      <span aria-hidden className={`left-2 ${nameLook}`}>
        {before.alt}
      </span>
      <span aria-hidden className={`right-2 ${nameLook}`}>
        {after.alt}
      </span>
    </div>
  );
}

/** The part of an image between two percentages of the width. */
function Layer({ image, from, to }: { image: Compared; from: number; to: number }) {
  const file = useMediaAddress(image.url);
  const clip = { clipPath: `inset(0 ${100 - to}% 0 ${from}%)` };
  if (file.failed)
    return (
      <div className="absolute inset-0 z-10 grid place-items-center p-8" style={clip}>
        <LazyMediaFailure title={image.alt} {...file} />
      </div>
    );
  return (
    // biome-ignore lint/performance/noImgElement: signed URLs must not pass through an image proxy
    <img
      src={file.address}
      alt={image.alt}
      className="absolute inset-0 size-full object-contain"
      style={clip}
      {...file.element}
    />
  );
}
