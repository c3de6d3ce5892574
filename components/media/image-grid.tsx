"use client";

import { Columns2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import type { GridImage } from "./grid-image.ts";
import { GridPicture } from "./grid-picture.tsx";

const Lightbox = dynamic(() => import("./lightbox.tsx").then((module) => module.Lightbox), { ssr: false });

/** Images at their own aspect; each opens the lightbox, two or more can be compared there. */
export function ImageGrid({ images }: { images: GridImage[] }) {
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
          Compare
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
