import type { ReactNode } from "react";
import { useWords } from "#words";
import { PageHeader } from "@/components/ui/page/page-header";
import { Skeleton } from "@/components/ui/page/skeleton";

interface PredictionsHeaderProps {
  /** Of the view with the output files. */
  isGallery?: boolean;
  actions?: ReactNode;
}

export function PredictionsHeader({ isGallery, actions }: PredictionsHeaderProps) {
  const t = useWords("predictions");
  return (
    <PageHeader
      log
      title={t("predictions")}
      description={t(isGallery ? "galleryDescription" : "listDescription")}
      actions={actions}
    />
  );
}

const tiles = 12;

/** The tiles of a gallery while it loads. */
export function GallerySkeleton() {
  const t = useWords("predictions");
  return (
    <div
      role="status"
      aria-label={t("loading")}
      className="grid grid-cols-[repeat(auto-fill,minmax(min(220px,calc(50%-6px)),1fr))] gap-3"
    >
      {Array.from({ length: tiles }, (_, tile) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the tiles are all the same and never move.
        <Skeleton key={tile} className="aspect-square rounded-panel!" />
      ))}
    </div>
  );
}
