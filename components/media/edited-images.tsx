"use client";

import { Maximize2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { CompareSlider } from "./compare-slider.tsx";
import { ImageGrid } from "./image-grid.tsx";
import type { GridImage } from "./lightbox.tsx";
import { comparedSize } from "./reserved-size.ts";
import { useInputPicture } from "./use-input-picture.ts";

const Lightbox = dynamic(() => import("./lightbox.tsx").then((module) => module.Lightbox), { ssr: false });

interface EditedImagesProps {
  /** The results of the edit. */
  images: GridImage[];
  input: Record<string, unknown>;
  /** The operation's example, if the input may still have its files. */
  example?: Record<string, unknown>;
  /** The gateway's public address, which ends with `/v1`. */
  baseUrl: string;
}

/**
 * The results of an edit with the photo that it began with: one result under a slider, several as a grid in which any
 * two can be compared. Without the photo, only the results.
 */
export function EditedImages({ images, input, example, baseUrl }: EditedImagesProps) {
  const t = useWords("media");
  const photo = useInputPicture(input, baseUrl, example);
  const [isOpen, setOpen] = useState(false);
  const [result] = images;
  if (!photo || !result) return <ImageGrid images={images} />;
  const all = [photo, ...images];
  if (images.length > 1) return <ImageGrid images={all} />;
  return (
    <div className="relative rounded-panel border bg-sunken" style={comparedSize(result)}>
      <CompareSlider before={photo} after={result} />
      <span className="absolute top-2 right-2 rounded-control bg-raised">
        <Button size="sm" icon={<Maximize2 size={14} aria-hidden />} onClick={() => setOpen(true)}>
          {t("openLarge")}
        </Button>
      </span>
      {isOpen && <Lightbox images={all} startIndex={0} startComparing onClose={() => setOpen(false)} />}
    </div>
  );
}
