import type { ReactNode } from "react";
import { PageHeader } from "@/components/ui/page/page-header";
import { Skeleton } from "@/components/ui/page/skeleton";

interface PredictionsHeaderProps {
  description?: string;
  actions?: ReactNode;
}

export function PredictionsHeader({
  description = "Asynchronous runs, from submission to the removal of their files.",
  actions,
}: PredictionsHeaderProps) {
  return <PageHeader log title="Predictions" description={description} actions={actions} />;
}

const tiles = 12;

/** The tiles of a gallery while it loads. */
export function GallerySkeleton() {
  return (
    <div
      role="status"
      aria-label="Loading"
      className="grid grid-cols-[repeat(auto-fill,minmax(min(220px,calc(50%-6px)),1fr))] gap-3"
    >
      {Array.from({ length: tiles }, (_, tile) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the tiles are all the same and never move.
        <Skeleton key={tile} className="aspect-square rounded-panel!" />
      ))}
    </div>
  );
}

export const galleryDescription = "All output files of your runs, until they are removed.";
