"use client";

import dynamic from "next/dynamic";
import { useEffect, useRef, useState } from "react";
import type { List } from "#contract/list.ts";
import type { Output } from "#contract/outputs.ts";
import { Button, LinkButton } from "@/components/ui/button";
import { LiveSwitch } from "@/components/ui/list/live-switch";
import { NewRows } from "@/components/ui/list/new-rows";
import { isBeingRead } from "@/components/ui/list/use-held-list";
import { useListView } from "@/components/ui/list/use-list-view";
import { EmptyState } from "@/components/ui/page/empty-state";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { formatCount } from "@/lib/format";
import { galleryList } from "@/lib/lists";
import { PredictionsHeader } from "../list/predictions-header.tsx";
import { ViewSwitch } from "../view-switch.tsx";
import { galleryDescription } from "./gallery-description.ts";
import { GalleryFilters } from "./gallery-filters.tsx";
import { GalleryGrid } from "./gallery-grid.tsx";
import { GallerySkeleton } from "./gallery-skeleton.tsx";
import { useComparison } from "./use-comparison.ts";
import { useOutputs } from "./use-outputs.ts";
import { useRunAgain } from "./use-run-again.ts";

/** The viewer and its actions are loaded when the first file is opened. */
const GalleryViewer = dynamic(() => import("./gallery-viewer.tsx").then((module) => module.GalleryViewer), {
  ssr: false,
});

interface GalleryProps {
  /** The first page, and the address it belongs to. */
  initial: { scope: string; list: List<Output> };
  modelIds: string[];
}

/** All stored outputs as pictures; the filters are in the URL, like those of the list. */
export function Gallery({ initial, modelIds }: GalleryProps) {
  const { view, change, clear, active } = useListView(galleryList);
  const scope = galleryList.searchOf(view);
  const container = useRef<HTMLDivElement>(null);
  const [openedId, setOpenedId] = useState<string | null>(null);
  const comparison = useComparison();
  const runAgain = useRunAgain();
  const outputs = useOutputs({ scope, filter: () => galleryList.filterOf(view, Date.now()), initial });
  const { files, waiting, hasMore, failure } = outputs;
  const opened = files.find(({ id }) => id === openedId);

  const follow = useRef(() => {});
  follow.current = () => {
    const isRead = comparison.ids.size > 0 || openedId !== null || isBeingRead(container.current);
    if (waiting > 0 && !isRead) outputs.take();
  };
  // Each answer checks the page whether somebody is looking.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is an occasion.
  useEffect(() => follow.current(), [outputs.updatedAtMs]);

  return (
    <>
      <PredictionsHeader
        description={galleryDescription}
        actions={
          <>
            <ViewSwitch shown="gallery" view={view} />
            <LiveSwitch {...outputs.live} updatedAtMs={outputs.updatedAtMs} />
          </>
        }
      />
      <GalleryFilters
        list={{ view, change, clear, active }}
        modelIds={modelIds}
        summary={files.length === 0 ? "" : `${formatCount(files.length, "file")}${hasMore ? " so far" : ""}`}
        compared={comparison.ids}
        onClearComparison={comparison.clear}
      />
      {failure && <ErrorPanel error={failure} onRetry={outputs.retry} />}
      {files.length > 0 && (
        <p className="mb-2 text-meta text-muted pointer-coarse:hidden">
          Arrow keys move, Space opens, C compares, R runs again with the same input.
        </p>
      )}
      <div role="status" className="contents">
        {waiting > 0 && <NewRows count={waiting} container={container} onShow={outputs.take} />}
      </div>
      {files.length > 0 && (
        <GalleryGrid
          key={scope}
          container={container}
          files={files}
          hasMore={hasMore}
          onNearEnd={outputs.readMore}
          ticked={comparison.ids}
          open={({ id }) => setOpenedId(id)}
          compare={comparison.toggle}
          clearComparison={comparison.clear}
          runAgain={(file) => void runAgain(file)}
        />
      )}
      {outputs.isReading && !failure && <GallerySkeleton />}
      {files.length === 0 && !outputs.isReading && !failure && (
        <NothingMade filtered={active > 0} onClear={clear} />
      )}
      {opened && <GalleryViewer file={opened} files={files} onClose={() => setOpenedId(null)} />}
    </>
  );
}

function NothingMade({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  return filtered ? (
    <EmptyState
      drawing="frames"
      title="No files match these filters"
      body="Choose a longer period or clear a filter."
      action={<Button onClick={onClear}>Clear filters</Button>}
    />
  ) : (
    <EmptyState
      drawing="frames"
      title="Nothing here yet"
      body="Images, videos and sound from your runs appear here until they are removed."
      action={
        <LinkButton href="/catalog" variant="primary">
          Choose a model
        </LinkButton>
      }
    />
  );
}
