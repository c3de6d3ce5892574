import { useState } from "react";
import type { GridImage } from "./grid-image.ts";

/** Two images on top of each other; the slider (mouse, touch or arrow keys) moves the cut. */
export function CompareSlider({ before, after }: { before: GridImage; after: GridImage }) {
  const [cut, setCut] = useState(50);
  return (
    <div className="relative size-full overflow-hidden p-4">
      <div className="relative size-full">
        {/* biome-ignore lint/performance/noImgElement: signed URLs must not pass through an image proxy */}
        <img src={after.url} alt={after.alt} className="absolute inset-0 size-full object-contain" />
        {/* biome-ignore lint/performance/noImgElement: signed URLs must not pass through an image proxy */}
        <img
          src={before.url}
          alt={before.alt}
          className="absolute inset-0 size-full object-contain"
          style={{ clipPath: `inset(0 ${100 - cut}% 0 0)` }}
        />
        <div
          aria-hidden
          className="pointer-events-none absolute inset-y-0 w-0.5 bg-accent"
          style={{ left: `${cut}%` }}
        />
      </div>
      <label className="absolute inset-x-0 bottom-3 mx-auto flex w-72 max-w-[80%] items-center gap-2 rounded-control border border-line bg-raised px-3 py-2 text-meta">
        <span className="shrink-0 text-muted">Compare</span>
        <input
          type="range"
          min={0}
          max={100}
          value={cut}
          onChange={(event) => setCut(Number(event.target.value))}
          aria-valuetext={`${cut} % of ${before.alt}`}
          className="w-full accent-accent"
        />
      </label>
    </div>
  );
}
